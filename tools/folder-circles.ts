import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * Fails when modules, or folders of the platform, import each other in a circle, whatever the files: dependency-cruiser
 * finds circles of files only. Test files do not count. Takes the root of the sources.
 */
const root = process.argv[2] ?? 'src'
const circles = findCircles(readImports(root))
for (const circle of circles) console.error(`error folder-circle: ${circle.join(' → ')}`)
if (circles.length > 0) process.exitCode = 1

type Graph = Map<string, Set<string>>

/** By each folder the folders that its files import. */
function readImports(root: string): Graph {
  const graph: Graph = new Map()
  for (const file of globSync(`${root}/**/*.ts`)) {
    if (/\.test[a-z-]*\.ts$/.test(file)) continue
    const from = folderOf(relative(root, file))
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/\b(?:from |import\()'(\.[^']+)'/g)) {
      const to = folderOf(relative(root, join(dirname(file), path)))
      if (from !== null && to !== null && from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to))
    }
  }
  return graph
}

/** `modules/claims`, `platform/http`, `cli`; null for files outside these folders. */
function folderOf(file: string): string | null {
  const [top = '..', name = '', ...below] = file.split('/')
  if (top === '..' || name === '') return null
  if (top !== 'modules' && top !== 'platform') return top
  return below.length === 0 ? null : `${top}/${name}`
}

/** Finds the shortest way of each folder back to itself, and names each circle once. */
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
