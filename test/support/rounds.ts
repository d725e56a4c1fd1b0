import { readFileSync } from 'node:fs'
import { usesDatabase } from './database-files.ts'

/**
 * The rounds of the tests. Each file says itself where it belongs, by its name or in comments at its top:
 *
 * - `usual`: each route, rule, race and crash once, in a few minutes. Files without a word belong here.
 * - `rest`: what takes long, as its name says (a story in the browser, processes, commands, kills, plans) or a first line
 *   `// Round: rest, because …`; also the files that draw a sample in the usual round, whole. `// Round: usual, because …`
 *   takes a file back into the usual round.
 * - `all`: every file, whole.
 * - `database`: the files that use PostgreSQL, on another one, after a complete run. Left out is what runs only statements
 *   that other files run too: pages, commands, kills, by their names, and files that begin with
 *   `// Not on another PostgreSQL, because …`. `// On another PostgreSQL, because …` takes a file back.
 */
export const rounds = {
  usual: (file: string) => !isLong(file),
  rest: (file: string) => isLong(file) || drawsSample(file),
  all: () => true,
  database: (file: string) => !isAboveDatabase(file) && usesDatabase(file),
}

export type Round = keyof typeof rounds

const longByName = [
  /^test\/(browser|processes)\//,
  /^src\/(cli|embedded-postgres)\//,
  /^demo\//,
  /[./](kill|plans)\.test\.ts$/,
]

const aboveByName = [
  /^test\/(browser|stories)\//,
  /^src\/(cli|site|mcp|web-app)\//,
  /^src\/platform\/http\/((cache|overload)\/)?[^/]+$/,
  /^demo\//,
  /\.kill\.test\.ts$/,
]

function isLong(file: string): boolean {
  const said = /^\/\/ Round: (usual|rest), because /m.exec(topOf(file))
  return said ? said[1] === 'rest' : longByName.some((name) => name.test(file))
}

function isAboveDatabase(file: string): boolean {
  const said = /^\/\/ (On|Not on) another PostgreSQL, because /m.exec(topOf(file))
  return said ? said[1] === 'Not on' : aboveByName.some((name) => name.test(file))
}

export const drawsSample = (file: string) =>
  /\bpropertyRuns\(|\/support\/sample\.ts'/.test(readFileSync(file, 'utf8'))

/** The comments before the first import. */
const topOf = (file: string) => /^(?:\/\/.*\n)*/.exec(readFileSync(file, 'utf8'))?.[0] ?? ''
