import { readTask } from '../../../../operations/index.ts';
import { mount } from '../../../_mount.ts';

export const prerender = false;

export const ALL = mount(readTask);
