import Type, { type Static } from 'typebox'
import { roles } from '../../platform/access/areas.ts'
import {
  Can,
  filledLine,
  Id,
  line,
  nullable,
  oneOf,
  ResponseTimestamp,
} from '../../platform/http/validation/schemas.ts'

export const strict = { additionalProperties: false }

export const ById = Type.Object({ id: Id('Identifier of the device') })

export const Methods = Type.Object(
  {
    email: Type.Boolean({ description: 'By a link and a code in a mail', examples: [true] }),
    passkey: Type.Boolean({ description: 'By a passkey', examples: [true] }),
    oidc: nullable(
      Type.Object({ label: Type.String({ description: 'What its button says', examples: ['ProConnect'] }) }),
    ),
  },
  { title: 'SignInMethods' },
)

export const EmailBody = Type.Object(
  { email: line(254, { description: 'Address to send the mail to', examples: ['zoe@example.org'] }) },
  strict,
)

export const Sent = Type.Object(
  {
    sent: Type.Literal(true, {
      description: 'The same for every address, whether somebody signs in with it or not',
      examples: [true],
    }),
  },
  { title: 'MailSent' },
)

const Token = line(200, {
  description: 'From the link of the mail',
  examples: ['AZnJo1uOfMGdLk9qe4ydDhWq0z4yT1mJ8s2bGd7xKf3uQn5vRc6tLp9w'],
})
export const Code = line(20, { description: 'The six digits of the mail', examples: ['123456'] })

export const VerifyBody = Type.Object({ token: Type.Optional(Token), code: Type.Optional(Code) }, strict)
export type VerifyBody = Static<typeof VerifyBody>

export const SignedInStatus = Type.Object(
  {
    status: oneOf(
      ['signed_in', 'second_factor', 'enrolment'],
      'Whether that is all, a second factor has to be shown, or one has to be set up first',
    ),
  },
  { title: 'SignInStatus' },
)

export const SignedOut = Type.Object(
  {
    redirect: nullable(
      Type.String({
        description: "Where the identity provider's own session ends",
        examples: ['https://id.example.org/logout'],
      }),
    ),
  },
  { title: 'SignedOut' },
)

/** A user ends single sessions of their own; administrators end all sessions of another user. */
export const deviceActions = { delete: ({ mine }: { mine: boolean }) => mine }

export const Device = Type.Object(
  {
    id: Id(),
    method: oneOf(['email', 'operator', 'passkey', 'oidc'], 'How it was signed in'),
    network: nullable(
      Type.String({ description: 'The /24 or /48 that it was signed in from', examples: ['192.0.2.0/24'] }),
    ),
    browser: nullable(Type.String({ examples: ['Firefox, Windows'] })),
    current: Type.Boolean({ description: 'Whether this request came by it', examples: [true] }),
    created_at: ResponseTimestamp(),
    last_seen_at: ResponseTimestamp('To within five minutes'),
    expires_at: ResponseTimestamp('When it ends at the latest'),
    can: Can(deviceActions),
  },
  { title: 'Device' },
)
/** A device as the query returns it. */
export type Device = Omit<Static<typeof Device>, 'can'>

export const EndedDevice = Type.Object(
  { id: Id(), ended: Type.Boolean({ examples: [true] }) },
  { title: 'EndedDevice' },
)
export const EndedDevices = Type.Object(
  { ended: Type.Integer({ description: 'How many were signed out', examples: [2] }) },
  { title: 'EndedDevices' },
)

export const Confirmed = Type.Object(
  { confirmed: Type.Literal(true, { description: 'For ten minutes', examples: [true] }) },
  { title: 'Confirmed' },
)

const language = oneOf(['fr', 'en'], 'Of mails to them')
export const ProfileBody = Type.Partial(
  Type.Object({
    nom: nullable(filledLine(200, { description: 'Name', examples: ['Zoé Lambert'] })),
    langue: language,
  }),
  strict,
)
export type ProfileBody = Static<typeof ProfileBody>

export const AddressVerifyBody = Type.Object({ code: Code }, strict)

export const InvitationBody = Type.Object(
  {
    email: line(254, { description: 'Address that the invitation goes to', examples: ['zoe@example.org'] }),
    nom: Type.Optional(filledLine(200, { examples: ['Zoé Lambert'] })),
    roles: Type.Optional(
      Type.Array(oneOf(roles), { uniqueItems: true, maxItems: roles.length, examples: [['moderator']] }),
    ),
  },
  strict,
)
export type InvitationBody = Static<typeof InvitationBody>

export const ByUserId = Type.Object({ userId: Id('Identifier of the user') })
