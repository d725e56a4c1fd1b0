import { type Settings, trueOrFalse } from '../../platform/config/settings.ts'

export const importsSettings = {
  name: 'imports',
  read: (read) => ({ allowPrivate: read.or('IMPORT_ALLOW_PRIVATE', trueOrFalse, false) }),
} satisfies Settings<{ allowPrivate: boolean }>
