import { installPrograms } from './programs.ts';

installPrograms();
