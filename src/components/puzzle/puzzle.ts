/* Makes a page's boards playable. Nothing is sent or stored. */
import { findClosestElement } from '../event-target.ts';
import {
  formatHouseName,
  listHouseRows,
  type LightBoard,
  countLightsOn,
  pressHouse,
  solveLightBoard,
} from '../../site/light-board.ts';
import { fill, fillPlural } from '../../text/fill.ts';
import { puzzle as text } from '../../text/index.ts';

const formatPressCount = (count: number) => fillPlural(text.presses, count);

/** A solvable board, created by pressing random houses on a dark block. */
function createRandomBoard({ columns, rows }: LightBoard): LightBoard {
  const darkBoard = { columns, rows, lit: Array.from({ length: columns * rows }, () => false) };
  for (;;) {
    let board: LightBoard = darkBoard;
    for (const house of darkBoard.lit.keys())
      if (Math.random() < 0.3) board = pressHouse(board, house);
    if (countLightsOn(board) > 0) return board;
  }
}

const puzzle = document.querySelector<HTMLElement>('[data-puzzle]')!;
const boards = JSON.parse(puzzle.dataset['puzzle']!) as LightBoard[];
const block = puzzle.querySelector<HTMLElement>('.block')!;
const choice = puzzle.querySelector('select')!;
const state = puzzle.querySelector<HTMLElement>('[data-state]')!;
const house = block.querySelector('button')!.cloneNode(true) as HTMLButtonElement;
house.tabIndex = -1;
let start = boards[0]!;
let board = start;
let fewestPresses = 0;
let pressedHouses: number[] = [];

const findButtons = () => [...block.querySelectorAll('button')];

function showBoard(hint?: number): void {
  for (const [index, button] of findButtons().entries()) {
    const isLit = board.lit[index]!;
    button.setAttribute(
      'aria-label',
      fill(isLit ? text.on : text.off, { house: formatHouseName(board, index) }),
    );
    button.querySelector('.house')!.classList.toggle('is-lit', isLit);
    button.classList.toggle('is-hint', index === hint);
  }
  const litCount = countLightsOn(board);
  const count = pressedHouses.length;
  block.classList.toggle('is-dark', litCount === 0);
  if (litCount === 0)
    state.textContent = fill(count > fewestPresses ? text.dark : text.darkInFewest, {
      presses: formatPressCount(count),
      fewest: fewestPresses,
    });
  else if (hint !== undefined)
    state.textContent = fill(text.press, {
      house: formatHouseName(board, hint),
      presses: formatPressCount(solveLightBoard(board)!.length),
    });
  else
    state.textContent = fill(text.state, {
      lights: fillPlural(text.lights, litCount),
      presses: formatPressCount(count),
      fewest: formatPressCount(fewestPresses),
    });
}

function startPuzzle(newBoard: LightBoard): void {
  start = board = newBoard;
  pressedHouses = [];
  fewestPresses = solveLightBoard(newBoard)?.length ?? 0;
  block.replaceChildren(
    ...listHouseRows(newBoard).map((houses) => {
      const row = document.createElement('div');
      row.className = 'row';
      row.append(...houses.map(() => house.cloneNode(true)));
      return row;
    }),
  );
  findButtons()[0]!.tabIndex = 0;
  showBoard();
}

const choose = () =>
  startPuzzle(
    choice.value === 'new' ? createRandomBoard(boards.at(-1)!) : boards[Number(choice.value)]!,
  );

function focusHouse(index: number): void {
  for (const [other, button] of findButtons().entries()) button.tabIndex = other === index ? 0 : -1;
  findButtons()[index]!.focus();
}

const shortcutActions: Record<string, () => void> = {
  undo() {
    const last = pressedHouses.pop();
    if (last !== undefined) board = pressHouse(board, last);
    showBoard();
  },
  restart: () => startPuzzle(start),
  hint: () => showBoard(solveLightBoard(board)?.[0]),
  next() {
    choice.selectedIndex = Math.min(choice.selectedIndex + 1, choice.options.length - 1);
    choose();
  },
};

block.addEventListener('click', (event) => {
  const button = findClosestElement(event, 'button');
  if (!button) return;
  const index = findButtons().findIndex((each) => each === button);
  board = pressHouse(board, index);
  pressedHouses.push(index);
  focusHouse(index);
  showBoard();
});
block.addEventListener('keydown', (event) => {
  const { columns, lit } = board;
  const index = findButtons().findIndex((each) => each === document.activeElement);
  const column = index % columns;
  const to = {
    ArrowLeft: column > 0 ? index - 1 : index,
    ArrowRight: column < columns - 1 ? index + 1 : index,
    ArrowUp: index - columns,
    ArrowDown: index + columns,
    Home: index - column,
    End: index - column + columns - 1,
  }[event.key];
  if (index < 0 || to === undefined) return;
  event.preventDefault();
  if (to >= 0 && to < lit.length) focusHouse(to);
});
puzzle.querySelector('.puzzle-buttons')!.addEventListener('click', (event) => {
  shortcutActions[findClosestElement(event, '[data-do]')?.dataset['do'] ?? '']?.();
});
choice.addEventListener('change', choose);
choose();
