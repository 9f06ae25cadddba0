/**
 * Lists all phrases that a phrase with alternatives stands for: “fix sink” and “repair sink” for
 * “fix|repair sink”.
 */
export const expandAlternatives = (phrase: string): string[] =>
  phrase
    .split(' ')
    .reduce<string[]>(
      (beginnings, word) =>
        beginnings.flatMap((beginning) =>
          word.split('|').map((alternative) => `${beginning} ${alternative}`.trimStart()),
        ),
      [''],
    );

/** Counts the phrases that a phrase with alternatives stands for. */
export const countAlternatives = (phrase: string): number =>
  phrase.split(' ').reduce((count, word) => count * word.split('|').length, 1);
