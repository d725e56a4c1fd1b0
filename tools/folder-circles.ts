import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * Fails if modules, use cases of a module, or folders of the platform import each other in a circle, through
 * any files: dependency-cruiser finds circles of files only. Ignores tests. Takes the root of the sources.
 */
const root = process.argv[2] ?? 'src'
const imports = readImports(root)
for (const circle of [
  ...findCircles(graphOf(imports, folderOf)),
  ...findCircles(graphOf(imports, useCaseOf)),
]) {
  console.error(`error folder-circle: ${circle.join(' → ')}`)
  process.exitCode = 1
}

type Import = { from: string; to: string }
type Graph = Map<string, Set<string>>

function readImports(root: string): Import[] {
  const files = globSync(`${root}/**/*.ts`).filter((file) => !/\.test[a-z-]*\.ts$/.test(file))
  return files.flatMap((file) =>
    Array.from(
      readFileSync(file, 'utf8').matchAll(/\b(?:from |import\()'(\.[^']+)'/g),
      ([, path = '']): Import => ({
        from: relative(root, file),
        to: relative(root, join(dirname(file), path)),
      }),
    ),
  )
}

/** Maps each folder to the folders that its files import. */
function graphOf(imports: Import[], nameOf: (file: string, other: string) => string | null): Graph {
  const graph: Graph = new Map()
  for (const { from, to } of imports) {
    const [one, other] = [nameOf(from, to), nameOf(to, from)]
    if (one === null || other === null || one === other) continue
    graph.set(one, (graph.get(one) ?? new Set()).add(other))
  }
  return graph
}

/** Returns `modules/claims`, `platform/http` or `cli`; null for files outside these folders. */
function folderOf(file: string): string | null {
  const [top = '..', name = '', ...below] = file.split('/')
  if (top === '..' || name === '') return null
  if (top !== 'modules' && top !== 'platform') return top
  return below.length === 0 ? null : `${top}/${name}`
}

/** Returns `modules/claims/decide`; null for files beside a module's use cases, and between modules. */
function useCaseOf(file: string, other: string): string | null {
  const [top, module, useCase, ...below] = file.split('/')
  if (top !== 'modules' || below.length === 0 || !other.startsWith(`modules/${module}/`)) return null
  return `${top}/${module}/${useCase}`
}

/** Finds the shortest import circle through each folder, and returns each circle once. */
function findCircles(graph: Graph): string[][] {
  const circles = [...graph.keys()]
    .sort()
    .reverse()
    .flatMap((start) => findWayBack(graph, start))
  return [...new Map(circles.map((circle) => [[...new Set(circle)].sort().join(), circle])).values()]
}

function findWayBack(graph: Graph, start: string): string[][] {
  const ways = [[start]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const next of graph.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return [[...way, next]]
      if (!seen.has(next)) ways.push([...way, next])
      seen.add(next)
    }
  }
  return []
}
