import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, TestRunner, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { pdf } from '../media/media.test-kit.ts'
import { actPdf, actsOf } from './acts.test-kit.ts'

const { acteur, commune, user, client, url, setClock } = await openWorld()
const hall = await acteur({ type: 'mairie', valide: true })
await commune({ mairie_actor_id: hall.id })
const { token } = await user({ memberships: [{ acteur: hall, role: 'owner' }] })
const mayor = client({ source: 'mairie', token })
const { path, prepare, publish } = actsOf(mayor, hall.id)
const first = await publish({ title: 'Premier' })
const act = await publish({ title: 'Œuvre d’art' }, actPdf('Acquisition'))
const third = await publish({ title: 'Troisième' })
const { id: scanId } = await prepare({ title: 'Numérisé' }, pdf(['']))
await mayor.patch(`${path}/${scanId}`, { text: 'Le conseil décide la subvention de la fanfare' })
const { data: scan } = (await mayor.patch(`${path}/${scanId}/publish`)).body

const get = async (path: string) => {
  const response = await fetch(`${url}${path}`)
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}
const pause = () => setClock(new Date().toISOString())
const untilTomorrow = () => setClock(new Date(Date.now() + 86_400_000).toISOString())

/** Makes a folder that is removed with the test, else after the file's tests. */
function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'parvis-proof-'))
  const atEnd = TestRunner.getCurrentTest() ? onTestFinished : afterAll
  atEnd(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Downloads and unpacks a proof. */
async function unpack(id: string) {
  const folder = makeFolder()
  const { bytes } = await get(`/actes/${id}/preuve.zip`)
  writeFileSync(join(folder, 'preuve.zip'), bytes)
  const script =
    'import sys, zipfile; z = zipfile.ZipFile("preuve.zip"); assert z.testzip() is None; z.extractall()'
  execFileSync('python3', ['-c', script], { cwd: folder })
  return folder
}

const verify = (folder: string, ...root: string[]) =>
  spawnSync('python3', ['verifier.py', ...root], { cwd: folder, encoding: 'utf8' })
const sums = (folder: string) =>
  spawnSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' })

test('on the day of its publication a proof ends at the seal of the act', async () => {
  pause()
  const folder = await unpack(act.id)
  expect(sums(folder).status).toBe(0)
  const { status, stdout } = verify(folder)
  expect(stdout).toContain(`sceau ${act.seal.seal}`)
  // Neither a timestamp nor a root of elsewhere.
  expect([status, stdout]).toEqual([2, expect.stringContaining('NON PROUVE')])
  const { racines } = JSON.parse((await get('/actes/racines.json')).bytes.toString())
  expect(racines).toEqual([])
})

test('from the next day on a proof leads to the root of the day, the same bytes each time', async () => {
  untilTomorrow()
  const [one, other] = [await get(`/actes/${act.id}/preuve.zip`), await get(`/actes/${act.id}/preuve.zip`)]
  expect(one.response.headers.get('content-type')).toBe('application/zip')
  expect(one.bytes.equals(other.bytes)).toBe(true)
  const { racines } = JSON.parse((await get('/actes/racines.json')).bytes.toString())
  expect(racines).toEqual([{ date: expect.any(String), number: 4, seal: scan.seal.seal }])
  for (const { id } of [first, act, third, scan]) {
    const folder = await unpack(id)
    expect(sums(folder).status).toBe(0)
    expect(verify(folder, racines[0].seal).status).toBe(0)
    expect(readFileSync(join(folder, 'LISEZMOI.txt'), 'utf8')).toContain(racines[0].seal)
  }
})

test('there is no proof of what was not published', async () => {
  for (const path of [`/actes/${uuidv7()}/preuve.zip`, '/actes/x/preuve.zip'])
    expect((await get(path)).response.status).toBe(404)
})

type Chain = {
  number: number
  previous: string
  links: { number: number; digest: string }[]
  root: { seal: string }
}
const inRecord = (from: string | RegExp, to: string) => (folder: string) => {
  const file = join(folder, 'acte.json')
  const text = readFileSync(file, 'utf8')
  const altered = text.replace(from, to)
  expect(altered).not.toBe(text)
  writeFileSync(file, altered)
}
const inChain = (alter: (chain: Chain) => void) => (folder: string) => {
  const file = join(folder, 'chaine.json')
  const chain = JSON.parse(readFileSync(file, 'utf8')) as Chain
  alter(chain)
  writeFileSync(file, JSON.stringify(chain))
}

untilTomorrow()
const unaltered = await unpack(act.id)

test('the program of a proof accepts what nobody altered, and no root that it does not lead to', () => {
  expect(verify(unaltered, scan.seal.seal).status).toBe(0)
  expect(verify(unaltered, '0'.repeat(64)).status).toBe(1)
})

test.each<[string, (folder: string) => void]>([
  ['another date', inRecord('2026-03-03', '2026-03-02')],
  ['another day on line', inRecord(/"published_at":"\d{4}/, '"published_at":"2020')],
  ['another title', inRecord('Œuvre', 'Oeuvre')],
  ['a space more', inRecord('{', '{ ')],
  ['an exchanged PDF', (folder) => writeFileSync(join(folder, 'acte.pdf'), actPdf('Autre'))],
  ['no PDF', (folder) => rmSync(join(folder, 'acte.pdf'))],
  ['an act removed from the middle', inChain(({ links }) => links.splice(1, 1))],
  [
    'an act removed from the middle, numbered again',
    inChain((chain) => {
      chain.links.splice(1, 1)
      for (const [index, link] of chain.links.entries()) link.number = chain.number + index
    }),
  ],
  ['the last act removed', inChain(({ links }) => links.pop())],
  ['another order', inChain(({ links }) => links.reverse())],
  [
    'another seal before',
    inChain((chain) => {
      chain.previous = '0'.repeat(64)
    }),
  ],
  [
    'another root',
    inChain(({ root }) => {
      root.seal = '0'.repeat(64)
    }),
  ],
])('the program of a proof refuses %s', async (_name, alter) => {
  const folder = makeFolder()
  cpSync(unaltered, folder, { recursive: true })
  alter(folder)
  const { status, stderr } = verify(folder)
  expect(status).toBe(1)
  expect(stderr).toMatch(/ECHEC/)
})

/** Runs the program once for each flipped byte, in one process: starting Python takes longer than what it does. */
const flipBytes = `
import contextlib, io, runpy, sys

# The root of elsewhere, without which nothing proves the moment.
sys.argv = ["verifier.py", sys.argv[1]]

def accepts():
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            runpy.run_path("verifier.py", run_name="__main__")
    except SystemExit as end:
        return not end.code
    except Exception:
        return False  # ends with a traceback
    return True

assert accepts()
for name in ["acte.pdf", "texte.txt", "acte.json", "chaine.json", "LISEZMOI.txt", "SHA256SUMS"]:
    with open(name, "rb") as file:
        whole = file.read()
    for part in range(16):
        at = part * (len(whole) - 1) // 15
        with open(name, "wb") as file:
            file.write(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
        print(name, at, "accepted" if accepts() else "refused")
    with open(name, "wb") as file:
        file.write(whole)
assert accepts()
`

test('any flipped byte of a proof is refused by its program', async () => {
  untilTomorrow()
  const folder = await unpack(scan.id)
  const lines = execFileSync('python3', ['-c', flipBytes, scan.seal.seal], {
    cwd: folder,
    encoding: 'utf8',
  }).trim()
  expect(lines.split('\n')).toHaveLength(96)
  expect(lines).not.toContain('accepted')
})
