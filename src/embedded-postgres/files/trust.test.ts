import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  endHolder,
  isRoot,
  makeCheckout,
  makeFolder,
  names,
  query,
  removeFolders,
  silent,
  startHolder,
} from '../cluster/cluster.test-kit.ts'
import { connectToRunningCluster, isClusterHeld, openCluster } from '../cluster/cluster.ts'
import { ClusterError } from '../cluster-error.ts'

vi.setConfig({ testTimeout: 120_000 })
afterAll(removeFolders)

const nobody = 65_534

async function openIn(dataDir: string) {
  const cluster = await openCluster({ dataDir, names, log: silent, durable: false })
  onTestFinished(() => cluster.stop())
  return cluster
}

/** Expects one sentence, from the service and from commands. */
async function expectRefusal(dataDir: string, sentence: string) {
  const opening = openIn(dataDir)
  await expect(opening).rejects.toBeInstanceOf(ClusterError)
  await expect(opening).rejects.toThrow(`Root does not use ${sentence}, or set another LIBRARY_DIR.`)
  await expect(connectToRunningCluster(dataDir, names)).rejects.toThrow(sentence)
  expect(() => isClusterHeld(dataDir, names)).toThrow(sentence)
}

function made(path: string, { mode = 0o755, uid = 0 } = {}): string {
  mkdirSync(path, { recursive: true })
  chmodSync(path, mode)
  chownSync(path, uid, uid)
  return path
}

/** A folder of root's with a file that nobody else may come to own, read or write. */
function makePrecious() {
  const folder = made(join(makeFolder(0o700), 'precious'))
  const file = join(folder, 'file')
  writeFileSync(file, 'precious', { mode: 0o600 })
  const state = () => [folder, file].map((path) => [statSync(path).uid, statSync(path).mode & 0o777])
  const expectUntouched = () => {
    expect(state()).toEqual([[0, 0o755], [0, 0o600]]) // biome-ignore format: two pairs
    expect(readFileSync(file, 'utf8')).toBe('precious')
  }
  return { folder, file, expectUntouched }
}

describe.skipIf(!isRoot)('root', () => {
  test('does not use a data folder that another user owns or may write', async () => {
    const folder = makeFolder()
    const foreign = made(join(folder, 'foreign'), { uid: nobody })
    await expectRefusal(foreign, `${foreign}, since it belongs to another user: start as that user`)
    for (const mode of [0o775, 0o757, 0o1777]) {
      const open = made(join(folder, `open-${mode}`), { mode })
      await expectRefusal(
        open,
        `${open}, since it may be written by other users: take that from them (chmod go-w)`,
      )
    }
  })

  test('does not use a data folder that another user could remove or replace', async () => {
    const folder = makeFolder()
    const [foreign, open] = [join(folder, 'foreign'), join(folder, 'open')]
    made(foreign, { uid: nobody })
    made(open, { mode: 0o777 })
    for (const above of [foreign, open]) {
      const dataDir = join(above, 'data')
      const sentence = `${dataDir}, since ${above} ${above === open ? 'may be written by other users' : 'belongs to another user'}: `
      await expect(openIn(dataDir)).rejects.toThrow(sentence)
      expect(existsSync(dataDir)).toBe(false)
      made(dataDir)
      await expect(openIn(dataDir)).rejects.toThrow(sentence)
    }
  })

  test("does not follow another user's link to the data folder, and follows its own", async () => {
    const shared = made(join(makeFolder(), 'shared'), { mode: 0o1777 })
    const [theirs, own] = [join(shared, 'theirs'), join(shared, 'own')]
    const { folder, expectUntouched } = makePrecious()
    symlinkSync(folder, theirs)
    lchownSync(theirs, nobody, nobody)
    const dataDir = join(theirs, 'data')
    await expectRefusal(dataDir, `${dataDir}, since ${theirs} belongs to another user: start as that user`)
    expectUntouched()
    symlinkSync(made(join(makeFolder(), 'real')), own)
    await openIn(own)
  })

  test.each([
    'secrets.json',
    'secrets.json.new',
    'lock',
    'lock-journal',
    'cluster-id',
    'postgres',
    'postgres/socket',
    'postgres/data',
    'postgres/postgres.log',
    'postgres/lock',
  ])('does not follow a link planted as %s, whoever owns it', async (name) => {
    const dataDir = made(join(makeFolder(), 'data'))
    const precious = makePrecious()
    const link = join(dataDir, name)
    made(dirname(link))
    symlinkSync(/[.]|lock|id/.test(name) ? precious.file : precious.folder, link)
    onTestFinished(() => rmSync(link))
    for (const owner of [nobody, 0]) {
      lchownSync(link, owner, owner)
      await expect(openIn(dataDir)).rejects.toThrow(/^Root does not use /)
      precious.expectUntouched()
    }
  })

  test('does not accept secrets that another user created or may write', async () => {
    const dataDir = made(join(makeFolder(), 'data'))
    const secrets = join(dataDir, 'secrets.json')
    writeFileSync(secrets, '{"jwtSecret":"known to somebody"}', { mode: 0o600 })
    chownSync(secrets, nobody, nobody)
    await expectRefusal(dataDir, `${dataDir}, since ${secrets} belongs to another user: start as that user`)
    chownSync(secrets, 0, 0)
    chmodSync(secrets, 0o620)
    await expectRefusal(
      dataDir,
      `${dataDir}, since ${secrets} may be written by other users: take that from them (chmod go-w)`,
    )
  })

  test('creates its files so that it accepts them again, whatever the umask', async () => {
    const folder = makeFolder(0o700)
    for (const dataDir of [join(folder, 'deep/data'), join(makeFolder(), 'deep/data')]) {
      const holder = startHolder(dataDir, { durable: false, umask: 0 })
      await holder.opened
      await endHolder(holder)
      await (await openIn(dataDir)).stop()
    }
  })

  test("starts an ordinary user's checkout: the owner of the program could make root do anything anyway", async () => {
    const folder = makeFolder()
    const checkout = makeCheckout(folder, nobody)
    onTestFinished(() => void spawnSync('chown', ['-hR', '0:0', folder]))
    const holder = startHolder(join(checkout, 'data'), { checkout, durable: false })
    const { owner } = await holder.opened
    expect(await query(owner, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await endHolder(holder)
  })
})

describe.skipIf(!isRoot)("PostgreSQL's user gets nothing of root’s", () => {
  async function makeClosed() {
    const dataDir = join(makeFolder(), 'data')
    await (await openIn(dataDir)).stop()
    return { dataDir, data: join(dataDir, 'postgres/data') }
  }

  test('through links in its folder when its number changes and the folder is handed over', async () => {
    const { dataDir, data } = await makeClosed()
    const { uid } = statSync(data)
    const precious = makePrecious()
    const [link, folderLink, second] = ['link', 'folder-link', 'base/second'].map((name) => join(data, name))
    symlinkSync(precious.file, `${link}`)
    symlinkSync(precious.folder, `${folderLink}`)
    spawnSync('chown', ['-hR', '12345:12345', data])
    linkSync(precious.file, `${second}`)
    await expect(openIn(dataDir)).rejects.toThrow(`${second} has a second name elsewhere`)
    precious.expectUntouched()
    rmSync(`${second}`)
    await openIn(dataDir)
    expect([statSync(data).uid, statSync(join(data, 'base')).uid]).toEqual([uid, uid])
    precious.expectUntouched()
  })

  test('by replacing what root opens there', async () => {
    const { dataDir, data } = await makeClosed()
    const { uid, gid } = statSync(data)
    for (const name of ['data', 'socket', 'postgres.log', 'lock']) {
      const path = join(dataDir, 'postgres', name)
      expect(spawnSync('mv', [path, `${path}-away`], { uid, gid }).status).not.toBe(0)
    }
    expect(spawnSync('ln', ['-s', '/', join(dataDir, 'postgres/link')], { uid, gid }).status).not.toBe(0)
  })

  test('by a link in place of a file that root reads', async () => {
    const { dataDir, data } = await makeClosed()
    const precious = makePrecious()
    rmSync(join(data, 'PG_VERSION'))
    symlinkSync(precious.file, join(data, 'PG_VERSION'))
    const opening = openIn(dataDir)
    await expect(opening).rejects.toThrow(
      `The database in ${data} cannot be used: its PG_VERSION cannot be read (ELOOP).`,
    )
    await expect(opening).rejects.not.toThrow('precious')
  })

  test('from an incomplete cluster, whose links are not followed when it is deleted', async () => {
    const { dataDir } = await makeClosed()
    const { uid } = statSync(join(dataDir, 'postgres/data'))
    const precious = makePrecious()
    const half = made(join(dataDir, 'postgres/new-half'))
    const data = made(join(half, 'data'), { uid })
    symlinkSync(precious.folder, join(data, 'base'))
    writeFileSync(join(half, 'password'), 'x')
    await openIn(dataDir)
    expect(existsSync(half)).toBe(false)
    precious.expectUntouched()
  })
})
