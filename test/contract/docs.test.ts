import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const pagesOf = (folder: string) => readdirSync(folder).map((name) => join(folder, name))
const pages = ['README.md', 'CHANGELOG.md', ...pagesOf('docs'), ...pagesOf('docs/decisions')]

/** The anchor a browser derives from the heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const anchorsOf = (text: string) =>
  Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => anchorOf(heading))

test.each(pages.filter((page) => page.endsWith('.md')))('every link in %s has a target', (page) => {
  const text = readFileSync(page, 'utf8')
  const links = Array.from(text.matchAll(/\]\(([^)#\s]*)(?:#([^)\s]+))?\)/g))
  const wrong = links.filter(([, path = '', anchor]) => {
    if (/^https?:/.test(path)) return false
    const target = path === '' ? page : join(dirname(page), path)
    if (!existsSync(target)) return true
    return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor)
  })
  expect(wrong.map(([link]) => link)).toEqual([])
})

test.each(['docs/security.md', 'docs/reliability.md', 'docs/contributing.md'])(
  'every test and file that %s names exists',
  (page) => {
    const named = Array.from(
      // Not what is generated, nor a name with a part to fill in.
      readFileSync(page, 'utf8').matchAll(/`((?:src|test|web|docs(?!\/queries))\/[^`<>]+)`/g),
      ([, path = '']) => path,
    )
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((path) => !existsSync(path))).toEqual([])
  },
)

test('every decision record names what was rejected, and is listed by its title', () => {
  const list = readFileSync('docs/decisions/README.md', 'utf8')
  const records = readdirSync('docs/decisions').filter((name) => name !== 'README.md')
  const wrong = records.filter((name) => {
    const text = readFileSync(join('docs/decisions', name), 'utf8')
    const [, number, title] = /^# (\d{4})\. (.+)$/m.exec(text) ?? []
    return !text.includes('Rejected') || !list.includes(`- [${number}](${name}) ${title}\n`)
  })
  expect(wrong).toEqual([])
})

test('docs/api.md says what to do after each error of the interface', () => {
  const codes = new Set<string>()
  // Of errors, not of the rows of a bulk answer.
  JSON.parse(readFileSync('docs/openapi.json', 'utf8'), (name, value) => {
    if (name !== 'error' || !value?.enum || value.enum.includes('too_large')) return value
    for (const code of value.enum) codes.add(code)
    return value
  })
  expect(codes.size).toBeGreaterThan(20)
  const text = readFileSync('docs/api.md', 'utf8')
  expect([...codes].filter((code) => !text.includes(`\`${code}\``))).toEqual([])
})
