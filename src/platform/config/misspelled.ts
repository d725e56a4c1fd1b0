/** Finds variables that are no setting but almost the name of one: `PROT` for `PORT`. */
export function findMisspelled(
  env: NodeJS.ProcessEnv,
  settings: ReadonlySet<string>,
): { name: string; setting: string }[] {
  return Object.keys(env).flatMap((name) => {
    if (settings.has(name)) return []
    const setting = [...settings].find((one) => isAlmost(name, one))
    return setting === undefined ? [] : [{ name, setting }]
  })
}

/** Whether two words differ by one letter, or by two neighbours that changed places. */
function isAlmost(one: string, other: string): boolean {
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  let end = 0
  const most = Math.min(one.length, other.length) - start
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end++
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)]
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && right === `${left[1]}${left[0]}`
}
