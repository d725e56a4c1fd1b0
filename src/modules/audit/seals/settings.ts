import { list, must, type Parse, type Settings } from '../../../platform/config/settings.ts'
import { type SealKey, sealKey } from './seal.ts'

/** Newest first: the first key seals, all keys verify. If empty, the log is not sealed. */
export type SealSettings = { keys: SealKey[] }

const longText: Parse<string> = (value) => {
  if (Buffer.byteLength(value) < 32)
    throw must('one or several keys of 32 bytes or more, separated by commas')
  return value
}

export const sealSettings = {
  name: 'audit',
  read: (read) => ({ keys: read.or('AUDIT_KEY', list(longText), []).map(sealKey) }),
  fillStored: ({ keys }, secret) => {
    const kept = sealKey(secret('auditKey'))
    // Also keeps the stored key, which sealed before AUDIT_KEY was set.
    return { keys: [...keys, ...(keys.some(({ id }) => id === kept.id) ? [] : [kept])] }
  },
} satisfies Settings<SealSettings>
