import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/**
 * A sealing key derived from a secret. Its id identifies it without the secret, and the format that it seals: the first
 * lacks the acteur of an entry. Instances of a version that knows the first one alone do not know the keys of the second.
 */
export type SealKey = { id: string; format: 1 | 2; ofRows: Buffer; ofSeals: Buffer }

/** An audit entry as text, in a format that PostgreSQL settings do not change: the columns in the order of `listRows`. */
export type AuditRow = { id: string; values: (string | null)[] }

/** An entry as a seal stores it. */
export type Entry = { id: string; digest: Buffer }

export type Seal = {
  number: number
  sealed_at: Date
  key_id: string
  after_seq: number
  last_seq: number
  total: number
  entries: Buffer
  previous: Buffer
  mac: Buffer
}

/** Used in the first seal as the mac of the previous one. */
export const noSeal = Buffer.alloc(32)

/** The keys of a secret: the first seals, both verify. */
export const sealKeys = (secret: string): SealKey[] => [sealKey(secret), sealKey(secret, 1)]

export function sealKey(secret: string, format: SealKey['format'] = 2): SealKey {
  const derive = (use: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, '', format === 1 ? use : `${use}, format ${format}`, bytes))
  return {
    id: derive('parvis trail: which key', 4).toString('hex'),
    format,
    ofRows: derive('parvis trail: rows', 32),
    ofSeals: derive('parvis trail: seals', 32),
  }
}

/** How many of the columns of an entry each format covers. */
const columnsOf = { 1: 9, 2: 10 } as const

/** Digests an entry. To cover a column added later, add a format. */
export const digestRow = ({ format, ofRows }: SealKey, { id, values }: AuditRow): Buffer =>
  createHmac('sha256', ofRows)
    .update(JSON.stringify([id, ...values.slice(0, columnsOf[format])]))
    .digest()
    .subarray(0, 16)

export function makeSeal(
  key: SealKey,
  rows: AuditRow[],
  values: Omit<Seal, 'key_id' | 'entries' | 'mac'>,
): Seal {
  const entries = Buffer.concat(
    rows.flatMap((row) => [Buffer.from(row.id.replaceAll('-', ''), 'hex'), digestRow(key, row)]),
  )
  const seal = { ...values, key_id: key.id, entries }
  return { ...seal, mac: macOf(key, seal) }
}

/** True if the seal itself is unaltered; does not check entries or other seals. */
export const isIntact = (key: SealKey, seal: Seal): boolean =>
  seal.mac.length === 32 && timingSafeEqual(macOf(key, seal), seal.mac)

function macOf({ ofSeals }: SealKey, seal: Omit<Seal, 'mac'>): Buffer {
  const { number, sealed_at, key_id, after_seq, last_seq, total, entries, previous } = seal
  return createHmac('sha256', ofSeals)
    .update(JSON.stringify([number, sealed_at.getTime(), key_id, after_seq, last_seq, total]))
    .update(previous)
    .update(entries)
    .digest()
}

export function readEntries({ entries }: Seal): Entry[] {
  return Array.from({ length: Math.floor(entries.length / 32) }, (_, n) => {
    const entry = entries.subarray(n * 32, (n + 1) * 32)
    const id = entry.subarray(0, 16).toString('hex')
    return { id: id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), digest: entry.subarray(16) }
  })
}
