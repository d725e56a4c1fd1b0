import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ContentInfo, SignedData } from '@peculiar/asn1-cms'
import { AsnConvert } from '@peculiar/asn1-schema'
import { TimeStampResp, TSTInfo } from '@peculiar/asn1-tsp'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { actPdf, actsOf } from './acts.test-kit.ts'
import { canonicalJson, sha256 } from './chain.ts'
import { hasOpenssl, openAuthority } from './timestamps/authority.test-kit.ts'
import { stampHandler } from './timestamps/jobs.ts'
import { requestFor } from './timestamps/token.ts'

const has = (...command: [string, string]) => spawnSync(command[0], [command[1]]).status === 0
/** The tools that a proof needs; the tests are skipped, and say so, where one is missing. */
const hasTools = hasOpenssl && has('python3', '--version') && has('sha256sum', '--version')
const needsTools = test.skipIf(!hasTools)

const authority = hasTools ? await openAuthority() : null
const stranger = hasTools ? await openAuthority() : null
const world = await openWorld({
  ...(authority && { env: { TSA_URL: authority.url, TSA_CA_FILE: authority.rootFile } }),
})
const { acteur, commune, user, client, url, setClock, db, config, log } = world
const hall = await acteur({ type: 'mairie', valide: true })
await commune({ mairie_actor_id: hall.id })
const { token } = await user({ memberships: [{ acteur: hall, role: 'owner' }] })
const { publish } = actsOf(client({ source: 'mairie', token }), hall.id)
const stamping = stampHandler({ db, config, log, clock: () => new Date() })
const stamp = () => stamping.perform({}, { id: 'job', attempt: 1, signal: new AbortController().signal })
const act = await publish({ title: 'Tarifs' }, actPdf('Vingt euros'))
await stamp()
await publish({ title: 'Suivant' })
await stamp()

const folders = mkdtempSync(join(tmpdir(), 'parvis-forged-'))
afterAll(() => rmSync(folders, { recursive: true }))
let made = 0
let roots: object[] = []
const original = join(folders, 'original')
if (hasTools) {
  setClock(new Date(Date.now() + 86_400_000).toISOString())
  roots = ((await (await fetch(`${url}/actes/racines.json`)).json()) as { racines: object[] }).racines
  await unpack(`/actes/${act.id}/preuve.zip`, original)
}

async function unpack(path: string, folder: string) {
  const file = join(folders, `${++made}.zip`)
  writeFileSync(file, Buffer.from(await (await fetch(`${url}${path}`)).arrayBuffer()))
  const script = 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])'
  execFileSync('python3', ['-c', script, file, folder])
}

function copy() {
  const folder = join(folders, `${++made}`)
  cpSync(original, folder, { recursive: true })
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
const textOf = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8')
const shell = (folder: string, command: string) =>
  spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' })
const verify = (folder: string, ...given: string[]) =>
  spawnSync('python3', ['verifier.py', ...given], { cwd: folder, encoding: 'utf8' })

/** Runs the commands that a proof prints; returns those that accept it. */
function accepting(folder: string, readMe = textOf(original, 'LISEZMOI.txt')) {
  const commands = [...readMe.matchAll(/^ {3}((?:sha256sum|python3|openssl) .+)$/gm)].map(
    ([, one = '']) => one,
  )
  return commands
    .filter((command) => !command.includes('RACINE'))
    .filter((command) => shell(folder, command).status === 0)
    .map((command) => /^\S+/.exec(command)?.[0])
}

/** Computes the list of digests again, as anybody can. */
function writeSums(folder: string) {
  const names = readdirSync(folder).filter((name) => name !== 'SHA256SUMS')
  const lines = names.map((name) => `${sha256(readFileSync(join(folder, name))).toString('hex')}  ${name}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
}

/** Exchanges the PDF and the dates, and computes every digest and seal again. Returns the forged seals of act and root. */
function forge(folder: string, fields: object = {}) {
  const pdf = actPdf('Deux mille euros')
  writeFileSync(join(folder, 'acte.pdf'), pdf)
  const act = JSON.parse(textOf(folder, 'acte.json'))
  const digest = sha256(pdf).toString('hex')
  const record = canonicalJson({ ...act, date: '2026-01-02', sha256: digest, bytes: pdf.length, ...fields })
  writeFileSync(join(folder, 'acte.json'), record)
  const chain = JSON.parse(textOf(folder, 'chaine.json'))
  chain.links[0].digest = sha256(record).toString('hex')
  const seals = sealsOf(chain)
  chain.root.seal = seals.at(-1)
  writeFileSync(join(folder, 'chaine.json'), JSON.stringify(chain))
  writeSums(folder)
  return { own: seals[0] ?? '', root: seals.at(-1) ?? '' }
}

type Chain = {
  occulte: boolean
  previous: string
  links: { digest: string }[]
  root: { seal: string } | null
}
function sealsOf({ previous, links }: Chain): string[] {
  let seal: Uint8Array = Buffer.from(previous, 'hex')
  return links.map(({ digest }) => {
    seal = sha256(seal, Buffer.from(digest, 'hex'))
    return Buffer.from(seal).toString('hex')
  })
}

/** Judges the files of a proof without the program that is in it, by another reader of timestamps. */
function judge(folder: string): 'proven' | 'contradicted' | 'unproven' {
  const fileOf = (name: string) => readFileSync(join(folder, name))
  const chain: Chain = JSON.parse(textOf(folder, 'chaine.json'))
  const record = fileOf('acte.json')
  const seals = sealsOf(chain)
  const isWhole =
    chain.links[0]?.digest === sha256(record).toString('hex') &&
    sha256(fileOf('acte.pdf')).toString('hex') === JSON.parse(record.toString()).sha256 &&
    (chain.root === null || chain.root.seal === seals.at(-1))
  const stamps = Object.entries({ horodatage: seals[0], 'horodatage-racine': seals.at(-1) })
    .filter(([name]) => existsSync(join(folder, `${name}.tsr`)))
    .map(([name, seal]) => imprintOf(fileOf(`${name}.tsr`)) === seal)
  if (!isWhole || stamps.includes(false)) return 'contradicted'
  return stamps.length > 0 ? 'proven' : 'unproven'
}

function imprintOf(reply: Buffer): string {
  const { timeStampToken } = AsnConvert.parse(reply, TimeStampResp)
  const { content } = AsnConvert.parse(AsnConvert.serialize(timeStampToken), ContentInfo)
  const { eContent } = AsnConvert.parse(content, SignedData).encapContentInfo
  const { messageImprint } = AsnConvert.parse(eContent?.single?.buffer ?? new ArrayBuffer(), TSTInfo)
  return Buffer.from(messageImprint.hashedMessage.buffer).toString('hex')
}

needsTools('the printed commands accept what nobody altered, and say who proves it', () => {
  const folder = copy()
  expect(accepting(folder)).toEqual(['sha256sum', 'python3', 'openssl', 'openssl'])
  const { status, stdout } = verify(folder)
  expect(status).toBe(0)
  expect(stdout).toMatch(/^PROUVE par horodatage\.tsr/m)
  expect(stdout).toMatch(/^PROUVE par horodatage-racine\.tsr/m)
  expect(judge(folder)).toBe('proven')
})

needsTools('the printed commands refuse an exchanged PDF and date whose digests were computed again', () => {
  const folder = copy()
  const forged = forge(folder)
  // Anybody can write a list of digests: it says that nothing is damaged, and no more.
  expect(accepting(folder)).toEqual(['sha256sum'])
  const { status, stderr } = verify(folder)
  expect(status).toBe(1)
  expect(stderr).toContain('horodatage.tsr porte sur un autre sceau')
  expect(verify(folder, '--sceau', 'horodatage.tsr').stdout).toBe(`${forged.own}\n`)
  expect(verify(folder, '--sceau', 'horodatage-racine.tsr').stdout).toBe(`${forged.root}\n`)
  expect(judge(folder)).toBe('contradicted')
})

needsTools('a forged proof whose timestamps were taken away proves no moment', () => {
  const folder = copy()
  for (const name of readdirSync(folder)) if (/^horodatage/.test(name)) rmSync(join(folder, name))
  const forged = forge(folder)
  expect(accepting(folder)).toEqual(['sha256sum'])
  const { status, stdout } = verify(folder)
  expect(status).toBe(2)
  expect(stdout).toMatch(/^NON PROUVE/m)
  expect(stdout).not.toMatch(/^PROUVE/m)
  expect(judge(folder)).toBe('unproven')
  // A root of elsewhere is another one.
  const { root } = JSON.parse(textOf(original, 'chaine.json'))
  expect(verify(folder, root.seal).status).toBe(1)
  expect(verify(folder, forged.root).stdout).toMatch(/^PROUVE par la racine/m)
})

needsTools('a kept copy of the roots proves an act, and another root of its day refuses it', () => {
  const folder = copy()
  for (const name of readdirSync(folder)) if (/^horodatage/.test(name)) rmSync(join(folder, name))
  writeSums(folder)
  expect(verify(folder).status).toBe(2)
  for (const [kept, status] of [
    [roots, 0],
    [roots.map((root) => ({ ...root, seal: '0'.repeat(64) })), 1],
    [roots.map((root) => ({ ...root, date: '2020-01-01' })), 1],
  ]) {
    writeFileSync(join(folder, 'racines.json'), JSON.stringify({ racines: kept }))
    expect(verify(folder, 'racines.json').status).toBe(status)
  }
})

needsTools('a timestamp of a forger’s own authority shows certificates that are not the authority’s', () => {
  const folder = copy()
  const forged = forge(folder)
  for (const [name, seal] of [
    ['horodatage', forged.own],
    ['horodatage-racine', forged.root],
  ] as const) {
    const reply = stranger?.reply(requestFor(Buffer.from(seal, 'hex')).der) ?? Buffer.alloc(0)
    writeFileSync(join(folder, `${name}.tsr`), reply)
    writeFileSync(join(folder, `${name}.pem`), stranger?.root ?? '')
  }
  writeSums(folder)
  const fingerprints = (stdout: string) =>
    [...stdout.matchAll(/empreinte SHA-256 ([0-9a-f]{64})/g)].map(([, one]) => one)
  const [here, there] = [fingerprints(verify(original).stdout), fingerprints(verify(folder).stdout)]
  expect(here).toHaveLength(2)
  expect(there).toHaveLength(2)
  expect(there.some((one) => here.includes(one))).toBe(false)
})

needsTools.each<[string, (folder: string) => void]>([
  [
    'exchanged timestamps',
    (folder) => {
      renameSync(join(folder, 'horodatage.tsr'), join(folder, 'x'))
      renameSync(join(folder, 'horodatage-racine.tsr'), join(folder, 'horodatage.tsr'))
      renameSync(join(folder, 'x'), join(folder, 'horodatage-racine.tsr'))
    },
  ],
  ['no timestamp but other bytes', (folder) => writeFileSync(join(folder, 'horodatage.tsr'), 'x')],
  [
    'an act that went on line after its timestamp',
    (folder) => {
      const { own, root } = forge(folder, { published_at: new Date(Date.now() + 3_600_000).toISOString() })
      for (const [name, seal] of [
        ['horodatage', own],
        ['horodatage-racine', root],
      ] as const)
        writeFileSync(
          join(folder, `${name}.tsr`),
          stranger?.reply(requestFor(Buffer.from(seal, 'hex')).der) ?? '',
        )
    },
  ],
  [
    'a root of another day',
    (folder) => {
      const chain = JSON.parse(textOf(folder, 'chaine.json'))
      writeFileSync(
        join(folder, 'chaine.json'),
        JSON.stringify({ ...chain, root: { ...chain.root, date: '2026-01-02' } }),
      )
    },
  ],
])('the program refuses %s', (_name, alter) => {
  const folder = copy()
  alter(folder)
  writeSums(folder)
  const { status, stderr } = verify(folder)
  expect([status, stderr]).toEqual([1, expect.stringContaining('ECHEC')])
})

needsTools('each of 64 flipped bytes, in all files of a proof, fails', () => {
  const folder = copy()
  const files = readdirSync(folder).map((name) => ({ name, content: readFileSync(join(folder, name)) }))
  expect(files.length).toBeGreaterThan(8)
  const check = 'sha256sum --strict -c SHA256SUMS'
  expect(shell(folder, check).status).toBe(0)
  const accepted: string[] = []
  // Four in the smallest file, more in larger ones.
  for (let flip = 0; flip < 64; flip++) {
    const { name, content } = files[flip % files.length] as (typeof files)[number]
    const at = Math.floor(
      ((Math.floor(flip / files.length) + 0.5) * content.length) / Math.ceil(64 / files.length),
    )
    const altered = Buffer.from(content)
    altered[at] = (altered[at] ?? 0) ^ 1
    writeFileSync(join(folder, name), altered)
    if (shell(folder, check).status === 0) accepted.push(`${name} ${at}`)
    writeFileSync(join(folder, name), content)
  }
  expect(accepted).toEqual([])
  expect(shell(folder, check).status).toBe(0)
})

needsTools(
  'a letter of a digest in another case, which sha256sum reads alike, is refused by the program',
  () => {
    const folder = copy()
    const sums = textOf(folder, 'SHA256SUMS')
    writeFileSync(
      join(folder, 'SHA256SUMS'),
      sums.replace(/[a-f]/, (letter) => letter.toUpperCase()),
    )
    expect(verify(folder).status).toBe(1)
  },
)

needsTools('the program verifies a proof of the version before, whose list names the PDF alone', () => {
  const folder = copy()
  const { sha256 } = JSON.parse(textOf(folder, 'acte.json'))
  writeFileSync(join(folder, 'SHA256SUMS'), `${sha256}  acte.pdf\n`)
  expect(verify(folder).status).toBe(0)
})
