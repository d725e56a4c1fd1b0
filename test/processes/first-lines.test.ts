// Not on another PostgreSQL, because other files run its statements too.
import { expect, test } from 'vitest'
import { openCommandWorld } from '../../src/cli/command.test-kit.ts'
import { run } from '../../src/cli/token.ts'
import { greeting } from '../../src/greeting.ts'
import { openWorld } from '../support/world.ts'

const { call, env, named } = await openCommandWorld(await openWorld(), run)
const provider = {
  AUTH_JWT_SECRET: '',
  AUTH_JWKS_URL: 'https://id.example/keys',
  AUTH_ISSUER: 'https://id.example',
  AUTH_AUDIENCE: 'parvis',
}

test('the first lines say where mails lie while no mail server is set', () => {
  const access = { trialToken: null, ownTokens: true }
  const url = 'http://127.0.0.1:3000'
  expect(greeting(url, { ...access, outbox: '/srv/parvis/outbox' })).toContain('/srv/parvis/outbox')
  expect(greeting(url, access)).not.toContain('MAIL_URL')
})

test.each([
  ['its own tokens', true, {}],
  ['those of an identity provider alone', false, provider],
])(
  'on a service with %s the first lines name a command that issues access, with npm or without',
  async (_, ownTokens, settings) => {
    for (const [hasNpm, beginning] of [
      [true, 'npm run -s token --'],
      [false, 'bin/node bin/parvis-cli.js token'],
    ] as const) {
      const lines = greeting('http://127.0.0.1:3000', { trialToken: null, ownTokens, hasNpm })
      const [, args = ''] = new RegExp(`^ {4}${beginning} (.+)$`, 'm').exec(lines) ?? []
      const called = await call(args.replace('<sub>', 'auth0|42'), { ...env, ...settings })
      expect(called).toMatchObject({ code: 0, stderr: named })
      expect(lines.includes('npm')).toBe(hasNpm)
    }
  },
)
