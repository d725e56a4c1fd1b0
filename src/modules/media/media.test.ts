import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { isWhole } from '../../../test/support/sample.ts'
import { openWorld } from '../../../test/support/world.ts'
import { formOf, png } from './media.test-kit.ts'
import { deleteUnused } from './sweep.ts'

const world = await openWorld()
const { db, acteur, user, client, url } = world
const club = await acteur({ valide: true })
const other = await acteur({ valide: true })
const owner = await user({ memberships: [{ acteur: club, role: 'owner' }] })
const hers = client({ token: owner.token })
const editor = client({ token: (await user({ memberships: [{ acteur: club }] })).token })
const stranger = client({ token: (await user({ memberships: [{ acteur: other, role: 'owner' }] })).token })
const moderator = await world.as('moderator')

const send = async (file: Uint8Array | string, fields: Record<string, string> = {}, name?: string) =>
  hers.post('/media', formOf(file, { acteur_id: club.id, ...fields }, name))
const bytesOf = async (path: string) => {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${owner.token}` } })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}
const stored = async () =>
  (await sql<{ count: number }>`select count(*)::int as count from media_variants`.execute(db)).rows[0]?.count
const messageOf = async (file: Uint8Array | string, name?: string) => {
  const answer = await send(file, {}, name)
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details).toHaveLength(1)
  expect(answer.body.details[0].field).toBe('file')
  return answer.body.details[0].message as string
}

test('POST /media returns the addresses of every width that the picture has, in three formats', async () => {
  const answer = await send(await png('#123', { width: 1000, height: 500 }), { alt: 'Le marché' })
  expect(answer.status).toBe(201)
  const { id, src, ...data } = answer.body.data
  expect(data).toMatchObject({
    kind: 'image',
    acteur_id: club.id,
    alt: 'Le marché',
    width: 1000,
    height: 500,
  })
  const addresses = (width: number) => ({
    avif: `/api/v1/media/${id}/${width}.avif`,
    webp: `/api/v1/media/${id}/${width}.webp`,
    jpeg: `/api/v1/media/${id}/${width}.jpg`,
  })
  expect(src).toEqual({ 400: addresses(400), 800: addresses(800), 1600: addresses(1600) })
  for (const [width, formats] of Object.entries<Record<string, string>>(src)) {
    for (const [format, path] of Object.entries(formats)) {
      const { response, bytes } = await bytesOf(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe(`image/${format}`)
      expect(response.headers.get('cache-control')).toBe('private, no-store')
      const metadata = await sharp(bytes).metadata()
      expect(metadata.format).toBe(format === 'avif' ? 'heif' : format)
      // Never enlarged.
      expect(metadata.width).toBe(Math.min(Number(width), 1000))
    }
  }
})

test('a picture is turned upright and keeps nothing that its camera wrote', async () => {
  const photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#c33' } })
    .withExif({
      IFD0: { Make: 'Secret Camera' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '46/1 12/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const written = Buffer.concat([photo, Buffer.from('behind the end')])
  const { id, width, height, src } = (await send(written)).body.data
  expect({ width, height }).toEqual({ width: 40, height: 60 })
  for (const path of Object.values<string>(src[400])) {
    const { bytes } = await bytesOf(path)
    const { exif, xmp, iptc, icc, orientation } = await sharp(bytes).metadata()
    expect({ exif, xmp, iptc, icc, orientation: orientation ?? 1 }).toEqual({ orientation: 1 })
    expect(bytes.includes('Secret Camera') || bytes.includes('behind the end')).toBe(false)
  }
  expect((await hers.get(`/media/${id}`)).body.data.id).toBe(id)
})

test('equal pictures share their bytes until the last of them is deleted', async () => {
  const before = await stored()
  const file = await png('#0f0')
  const [first, second] = [await send(file), await send(file)]
  expect(first.body.data.id).not.toBe(second.body.data.id)
  expect(await stored()).toBe((before ?? 0) + 3)
  await hers.delete(`/media/${first.body.data.id}`)
  expect((await bytesOf(second.body.data.src[400].webp)).response.status).toBe(200)
  await hers.delete(`/media/${second.body.data.id}`)
  expect(await stored()).toBe(before)
  expect(await hers.get(`/media/${second.body.data.id}`)).toBeError(404, 'not_found')
})

test('bytes that are sent again while they are deleted stay', async () => {
  const file = await png('#0e0')
  const { id } = (await send(file)).body.data
  const [, again] = await Promise.all([hers.delete(`/media/${id}`), send(file)])
  expect((await bytesOf(again.body.data.src[400].webp)).response.status).toBe(200)
})

test('a file that is no picture to show is refused with what to do', async () => {
  expect(await messageOf('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'logo.png')).toMatch(
    /PNG/,
  )
  const tiff = await sharp(await png())
    .tiff()
    .toBuffer()
  expect(await messageOf(tiff, 'scan.jpg')).toMatch(/TIFF/)
  const heic = Buffer.from('000000186674797068656963000000006d69663168656963', 'hex')
  expect(await messageOf(heic)).toMatch(/HEIC/)
  expect(await messageOf('hello', 'photo.jpg')).toMatch(/neither a picture/)
  expect(await messageOf('')).toMatch(/neither a picture/)
  const gif = await sharp([await png('#fff'), await png('#000')], { join: { animated: true } })
    .gif()
    .toBuffer()
  expect(await messageOf(gif)).toMatch(/animated/)
  const jpeg = await sharp({
    create: {
      width: 300,
      height: 300,
      channels: 3,
      background: '#555',
      noise: { type: 'gaussian', mean: 99, sigma: 40 },
    },
  })
    .jpeg()
    .toBuffer()
  expect(await messageOf(jpeg.subarray(0, jpeg.length / 2))).toMatch(/damaged/)
  const archive = Buffer.concat([await png(), Buffer.from('PK\x01\x02…PK\x05\x06'), Buffer.alloc(18)])
  expect(await messageOf(archive)).toMatch(/another kind of file/)
  const french = await hers.send('POST', '/media', formOf('hello', { acteur_id: club.id }), {
    headers: { 'accept-language': 'fr' },
  })
  expect(french.body.details[0].message).toMatch(/envoyez un fichier JPEG/)
})

test('a picture of more pixels than it may have is refused without being decoded', async () => {
  const small = await png()
  const large = Buffer.from(small)
  large.writeUInt32BE(30_000, 16)
  large.writeUInt32BE(30_000, 20)
  large.writeUInt32BE(crcOf(large.subarray(12, 29)), 29)
  expect(await messageOf(large)).toMatch(/50 megapixels/)
})

function crcOf(bytes: Uint8Array): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}

test('a file above the limit returns 413', async () => {
  expect(await send(Buffer.alloc(12_000_001))).toBeError(413, 'payload_too_large')
})

test('a body that is no form, or has another field, is refused', async () => {
  expect(await hers.post('/media', { file: 'photo.png', acteur_id: club.id })).toBeError(
    415,
    'unsupported_media_type',
  )
  expect(await send(await png(), { taille: '12' })).toBeError(422, 'validation_failed')
  const without = new FormData()
  without.append('acteur_id', club.id)
  expect(await hers.post('/media', without)).toBeError(422, 'validation_failed')
  expect(await send(await png(), { alt: 'Un étal', decorative: 'true' })).toBeError(422, 'validation_failed')
  const { id } = (await send(await png())).body.data
  expect(await hers.patch(`/media/${id}`, formOf('x'))).toBeError(415, 'unsupported_media_type')
})

test('an upload that is cut in the middle leaves nothing', async () => {
  const counted = async () =>
    (await sql<{ count: number }>`select count(*)::int as count from media`.execute(db)).rows[0]?.count
  const before = await counted()
  const { port, hostname } = new URL(url)
  const socket = connectSocket(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(
    [
      'POST /api/v1/media HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${owner.token}`,
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 100000',
      '',
      '--b',
      'Content-Disposition: form-data; name="file"; filename="a.png"',
      '',
      'half of it',
    ].join('\r\n'),
  )
  socket.end()
  await once(socket.resume(), 'close')
  expect((await send(await png('#321'))).status).toBe(201)
  expect(await counted()).toBe((before ?? 0) + 1)
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('parvis-upload-'))).toEqual([])
})

test.runIf(isWhole)('of 200 uploads at once every one waits for its turn and none is lost', async () => {
  const file = await png('#777')
  const answers = await Promise.all(Array.from({ length: 200 }, () => send(file)))
  expect(answers.filter(({ status }) => status !== 201).map(({ text }) => text)).toEqual([])
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(200)
})

test('a retry with the same key gets the same picture, and another file is refused', async () => {
  const call = { headers: { 'idempotency-key': 'marche-1' } }
  const post = async (background: string) =>
    hers.post('/media', formOf(await png(background), { acteur_id: club.id }), call)
  const [first, again] = [await post('#f00'), await post('#f00')]
  expect(again.status).toBe(201)
  expect(again.body).toEqual(first.body)
  expect(await post('#00f')).toBeError(422, 'validation_failed')
})

test('whoever may publish for the acteur, and moderators, manage its pictures; others do not learn of them', async () => {
  const { id, src } = (await send(await png('#456'))).body.data
  const form = async (acteur_id: string) => formOf(await png(), { acteur_id })
  expect(await editor.post('/media', await form(club.id))).toBeError(403, 'forbidden')
  expect(await stranger.post('/media', await form(club.id))).toBeError(403, 'scope_violation')
  expect(await hers.post('/media', await form('0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'))).toBeError(
    422,
    'validation_failed',
  )
  expect(await hers.post('/media', formOf(await png()))).toBeError(403, 'scope_violation')
  expect((await moderator.post('/media', await form(club.id))).status).toBe(201)
  for (const path of [`/media/${id}`, src[400].jpeg.replace('/api/v1', '')]) {
    expect(await stranger.get(path)).toBeError(404, 'not_found')
    expect((await moderator.get(path)).status).toBe(200)
  }
  expect(await editor.get(`/media/${id}`)).toBeError(403, 'forbidden')
  expect(await stranger.patch(`/media/${id}`, { alt: 'Un étal' })).toBeError(404, 'not_found')
  expect(await stranger.delete(`/media/${id}`)).toBeError(404, 'not_found')
})

test('a width that the picture does not reach, and a name that is none, return 404', async () => {
  const { id } = (await send(await png('#457'))).body.data
  for (const file of ['800.webp', '1600.jpg', '400.png', '400.jpeg', '300.webp', '..%2f400.webp'])
    expect(await hers.get(`/media/${id}/${file}`)).toBeError(404, 'not_found')
})

test('PATCH describes a picture, or says that it is decorative', async () => {
  const { id, version } = (await send(await png('#458'), { decorative: 'true' })).body.data
  const described = await hers.patch(`/media/${id}`, { alt: 'Un étal' })
  expect(described.body.data).toMatchObject({ alt: 'Un étal', decorative: false, version: version + 1 })
  const headers = { 'if-match': `"${version}"` }
  expect(await hers.patch(`/media/${id}`, { alt: 'Deux' }, { headers })).toBeError(412, 'precondition_failed')
  expect(await hers.patch(`/media/${id}`, { alt: 'Deux', decorative: true })).toBeError(
    422,
    'validation_failed',
  )
  const decorative = await hers.patch(`/media/${id}`, { decorative: true })
  expect(decorative.body.data).toMatchObject({ alt: null, decorative: true })
  expect(await hers.delete(`/media/${id}`, { headers })).toBeError(412, 'precondition_failed')
})

test('GET /media lists what the caller manages', async () => {
  const mine = (await hers.get('/media?per_page=100')).body.data as { acteur_id: string; id: string }[]
  expect(new Set(mine.map(({ acteur_id }) => acteur_id))).toEqual(new Set([club.id]))
  expect((await stranger.get('/media')).body.data).toEqual([])
  expect((await editor.get('/media')).body.data).toEqual([])
  expect(await editor.get(`/media?acteur_id=${club.id}`)).toBeError(403, 'forbidden')
  expect((await moderator.get(`/media?acteur_id=${club.id}&unused=false`)).body.data).toEqual([])
  expect((await moderator.get('/media?unused=true&acteur_id=Mal')).status).toBe(422)
})

test('what no record has used for 7 days is deleted with its bytes', async () => {
  const [old, recent] = [(await send(await png('#459'))).body.data, (await send(await png('#45a'))).body.data]
  await sql`update media set unused_since = now() - interval '8 days' where id = ${old.id}`.execute(db)
  expect(await deleteUnused(db, 100)).toBe(1)
  expect(await hers.get(`/media/${old.id}`)).toBeError(404, 'not_found')
  expect((await hers.get(`/media/${recent.id}`)).status).toBe(200)
  const { rows } = await sql`
    select from audit_log where action = 'media.delete' and entity_id = ${old.id} and user_id is null`.execute(
    db,
  )
  expect(rows).toHaveLength(1)
})

test('a service whose limit is reached refuses with a sentence', async () => {
  const full = await openWorld({ database: world.database, env: { MEDIA_MAX_TOTAL: '1MB' } })
  await sql`
    insert into media_variants (sha256, width, format, bytes, content)
    values (repeat('0', 64), 400, 'jpeg', 1048576, decode(repeat('00', 1048576), 'hex'))`.execute(db)
  const answer = await full
    .client({ token: owner.token })
    .post('/media', formOf(await png(), { acteur_id: club.id }))
  expect(answer).toBeError(409, 'media_full')
})
