import { list, must, type Parse, type Settings } from '../../../platform/config/settings.ts'
import { type SealKey, sealKeys } from './seal.ts'

/** Newest first: the first key seals, all keys verify. If empty, the log is not sealed. */
export type SealSettings = { keys: SealKey[] }

const longText: Parse<string> = (value) => {
  if (Buffer.byteLength(value) < 32)
    throw must('one or several keys of 32 bytes or more, separated by commas')
  return value
}

export const sealSettings = {
  name: 'audit',
  read: (read) => ({ keys: read.or('AUDIT_KEY', list(longText), []).flatMap(sealKeys) }),
  fillStored: ({ keys }, secret) => {
    const kept = sealKeys(secret('auditKey'))
    // Also keeps the stored key, which sealed before AUDIT_KEY was set.
    return { keys: [...keys, ...kept.filter((one) => !keys.some(({ id }) => id === one.id))] }
  },
} satisfies Settings<SealSettings>
