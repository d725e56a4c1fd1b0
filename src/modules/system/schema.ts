import Type, { type Static } from 'typebox'
import {
  MailDelivery,
  nullable,
  oneOf,
  ResponseTimestamp,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import { Transport } from './transports.ts'

const bytes = (description: string, example: number) => Type.Integer({ description, examples: [example] })
const parts = ['instances', 'database', 'jobs', 'transports', 'backup', 'disk'] as const
export type PartName = (typeof parts)[number]

const Instance = titled('Instance', {
  version: textOrNull('0.2.0'),
  jobs: oneOf(
    ['on', 'off', 'only'],
    '`on`: serves requests and runs jobs; `off`: requests only; `only`: jobs only',
  ),
  connected_at: ResponseTimestamp('Since when it has been connected'),
})

const OffSetting = titled('SettingOff', {
  setting: Type.String({ examples: ['MAIL_URL'] }),
  effect: Type.String({ examples: ['Mails are written as files and are not sent.'] }),
  is_advised: Type.Boolean({ description: 'Whether most installations need it', examples: [true] }),
  docs: Type.String({ description: 'Section of the documentation', examples: ['operations.md#mail'] }),
})

export const System = titled('System', {
  version: Type.String({ examples: ['0.2.0'] }),
  node: Type.String({ description: 'Version of Node.js', examples: ['24.11.0'] }),
  failed: Type.Array(oneOf(parts), { description: 'Parts that could not be read now; they are null' }),
  instances: nullable(Type.Array(Instance, { description: 'Instances connected to the database' })),
  database: nullable(
    Type.Object({
      version: Type.String({ examples: ['17.6'] }),
      is_embedded: Type.Boolean({ examples: [true] }),
      bytes: bytes('Size on disk', 48_213_000),
    }),
  ),
  jobs: nullable(
    Type.Object({
      waiting: Type.Integer({ description: 'Due and not running, at most 1 000', examples: [0] }),
      oldest_at: nullable(ResponseTimestamp('Since when the oldest of them has been due')),
      failed: Type.Integer({ description: 'Failed for good, at most 1 000', examples: [0] }),
    }),
  ),
  transports: nullable(
    Type.Array(Transport, { description: 'How messages leave, with those that failed last' }),
  ),
  backup: nullable(
    Type.Object({
      is_ours: Type.Boolean({
        description: 'False with `DATABASE_URL`: that database has its own backups, unknown here',
        examples: [true],
      }),
      made_at: nullable(ResponseTimestamp('When `npm run backup` last succeeded; null: never')),
      bytes: nullable(bytes('Rows in it', 21_400_000)),
    }),
  ),
  disk: nullable(
    Type.Object(
      { free_bytes: bytes('Free', 21_474_836_480), total_bytes: bytes('In total', 53_687_091_200) },
      { description: 'The disk of `DATA_DIR` on the instance that answers' },
    ),
  ),
  mail: MailDelivery,
  settings_off: Type.Array(OffSetting),
})
export type System = Static<typeof System>
export type Parts = { [Name in PartName]: System[Name] }

export const TestMail = titled('TestMail', {
  status: oneOf(
    ['sent', 'failed', 'uncertain'],
    '`sent`: the mail server accepted it; `uncertain`: it has not answered within 15 s',
  ),
  delivery: oneOf(['smtp', 'files']),
  error: textOrNull('550 refused', 'What the mail server answered'),
})
export type TestMail = Static<typeof TestMail>
