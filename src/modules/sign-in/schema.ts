import Type, { type Static } from 'typebox'
import { roles } from '../../platform/access/areas.ts'
import {
  Can,
  filledLine,
  Id,
  line,
  MailDelivery,
  MailsDelayed,
  nullable,
  oneOf,
  ResponseTimestamp,
  strictObject,
  strictPartial,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import { AcceptanceMails } from '../me/schema.ts'

export const ById = Type.Object({ id: Id('Identifier of the device') })

export const Methods = titled('SignInMethods', {
  email: Type.Boolean({ description: 'By a link and a code in a mail', examples: [true] }),
  passkey: Type.Boolean({ description: 'By a passkey', examples: [true] }),
  mail: MailDelivery,
  mails_delayed: MailsDelayed,
  oidc: nullable(
    Type.Object({ label: Type.String({ description: 'What its button says', examples: ['ProConnect'] }) }),
  ),
})

export const EmailBody = strictObject({
  email: line(254, { description: 'Address to send the mail to', examples: ['zoe@example.org'] }),
})

export const Sent = titled('MailSent', {
  sent: Type.Literal(true, {
    description: 'The same for every address, whether somebody signs in with it or not',
    examples: [true],
  }),
  delayed: Type.Optional(
    Type.Literal(true, {
      description: 'Present while all mails wait, because the mail server has refused them for now',
      examples: [true],
    }),
  ),
})

export const Token = line(200, {
  description: 'From the link of the mail',
  examples: ['AZnJo1uOfMGdLk9qe4ydDhWq0z4yT1mJ8s2bGd7xKf3uQn5vRc6tLp9w'],
})
export const Code = line(20, { description: 'The six digits of the mail', examples: ['123456'] })

export const VerifyBody = strictObject({ token: Type.Optional(Token), code: Type.Optional(Code) })
export type VerifyBody = Static<typeof VerifyBody>

export const SignedInStatus = titled('SignInStatus', {
  status: oneOf(
    ['signed_in', 'second_factor', 'enrolment'],
    'Whether that is all, a second factor has to be shown, or one has to be set up first',
  ),
})

export const SignInProgress = titled('SignInProgress', {
  status: oneOf(
    ['none', 'second_factor', 'enrolment', 'signed_in'],
    'Without a session, before the second factor, before one is set up, or signed in',
  ),
  user: nullable(
    Type.Object(
      { id: Id(), nom: textOrNull('Zoé Lambert'), email: textOrNull('zoe@example.org') },
      { description: 'Whose session it is; null until the second factor is shown' },
    ),
  ),
})
export type SignInProgress = Static<typeof SignInProgress>

export const SignedOut = titled('SignedOut', {
  redirect: textOrNull('https://id.example.org/logout', "Where the identity provider's own session ends"),
})

/** A user ends single sessions of their own; administrators end all sessions of another user. */
export const deviceActions = { delete: ({ mine }: { mine: boolean }) => mine }

export const Device = titled('Device', {
  id: Id(),
  method: oneOf(['email', 'operator', 'passkey', 'oidc'], 'How it was signed in'),
  network: textOrNull('192.0.2.0/24', 'The /24 or /48 that it was signed in from'),
  browser: textOrNull('Firefox, Windows'),
  current: Type.Boolean({ description: 'Whether this request came by it', examples: [true] }),
  created_at: ResponseTimestamp(),
  last_seen_at: ResponseTimestamp('To within five minutes'),
  expires_at: ResponseTimestamp('When it ends at the latest'),
  can: Can(deviceActions),
})
/** A device as the query returns it. */
export type Device = Omit<Static<typeof Device>, 'can'>

export const EndedDevice = titled('EndedDevice', { id: Id(), ended: Type.Boolean({ examples: [true] }) })
export const EndedDevices = titled('EndedDevices', {
  ended: Type.Integer({ description: 'How many were signed out', examples: [2] }),
})

export const Confirmed = titled('Confirmed', {
  confirmed: Type.Literal(true, { description: 'For ten minutes', examples: [true] }),
})

const language = oneOf(['fr', 'en'], 'Of mails to them')
export const ProfileBody = strictPartial({
  nom: nullable(filledLine(200, { description: 'Name', examples: ['Zoé Lambert'] })),
  langue: language,
  acceptance_mails: AcceptanceMails,
})
export type ProfileBody = Static<typeof ProfileBody>

export const AddressVerifyBody = strictObject({ code: Code })

export const InvitationBody = strictObject({
  email: line(254, { description: 'Address that the invitation goes to', examples: ['zoe@example.org'] }),
  nom: Type.Optional(filledLine(200, { examples: ['Zoé Lambert'] })),
  roles: Type.Optional(
    Type.Array(oneOf(roles), { uniqueItems: true, maxItems: roles.length, examples: [['moderator']] }),
  ),
})
export type InvitationBody = Static<typeof InvitationBody>

export const ByUserId = Type.Object({ userId: Id('Identifier of the user') })
