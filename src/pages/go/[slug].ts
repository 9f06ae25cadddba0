import { followLink } from '../../operations/index.ts';
import { mount } from '../_mount.ts';

export const prerender = false;

export const ALL = mount(followLink);
