/** A path into a record: keys and array indexes. */
export type RecordPath = readonly (string | number)[];

/**
 * An error in a registry file, with instructions for fixing it. `line` and `column` count from 1.
 */
export interface Fault {
  file: string;
  line: number;
  column: number;
  path: string;
  problem: string;
}

/** Creates a fault that concerns an entire file or folder. */
export const createFileFault = (file: string, problem: string): Fault => ({
  file,
  line: 1,
  column: 1,
  path: '',
  problem,
});

/** Formats a path: `['actions', 0, 'fields', 'zip']` as `actions[0].fields.zip`. */
export function formatPath(path: RecordPath): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`,
    )
    .join('');
}

/** Formats a fault on one line: `file:line:column path: problem. Fix.` */
export function formatFault({ file, line, column, path, problem }: Fault): string {
  return `${file}:${line}:${column} ${path ? `${path}: ` : ''}${problem}`;
}

/** Thrown for an invalid registry, with all faults sorted by file and line. */
export class RegistryError extends Error {
  readonly faults: readonly Fault[];
  /** True if some rules could not be checked, because records with faults could not be read. */
  readonly isPartial: boolean;

  constructor(faults: readonly Fault[], isPartial = false) {
    super(faults.map(formatFault).join('\n'));
    this.name = 'RegistryError';
    this.faults = faults;
    this.isPartial = isPartial;
  }
}

/** Thrown if a path is not a registry folder. */
export class RegistryFolderError extends RegistryError {}
