import { expect, test } from 'vitest'
import { modules } from '../../../app.ts'
import { readConfig, settingsOf } from '../../../platform/config/config.ts'
import { oidcSettings } from './settings.ts'
import { settingsFor } from './visitor.test-kit.ts'

const read = (env: Record<string, string>) => settingsOf(readConfig(modules, env), oidcSettings)
const whole = settingsFor('https://id.example.org/realms/commune')

test('without an issuer no provider is offered', () => {
  expect(read({ OIDC_LABEL: 'ProConnect' })).toBe(null)
})

test('the optional settings have defaults', () => {
  expect(read(whole)).toEqual({
    issuer: 'https://id.example.org/realms/commune',
    clientId: 'parvis',
    clientSecret: whole.OIDC_CLIENT_SECRET,
    scopes: 'openid email profile',
    label: 'ProConnect',
    pkce: true,
  })
  expect(read({ ...whole, OIDC_SCOPES: 'openid  given_name usual_name', OIDC_PKCE: 'false' })).toMatchObject({
    scopes: 'openid given_name usual_name',
    pkce: false,
  })
})

test.each([
  [{ OIDC_CLIENT_SECRET: '' }, 'Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET together'],
  [{ OIDC_ISSUER: 'http://id.example.org' }, 'OIDC_ISSUER must be an https URL'],
  [{ OIDC_ISSUER: 'https://id.example.org/?realm=a' }, 'OIDC_ISSUER must be an address without query'],
  [{ OIDC_SCOPES: 'email profile' }, 'OIDC_SCOPES must be scopes separated by spaces'],
  [{ OIDC_PKCE: 'no' }, 'OIDC_PKCE must be one of true, false'],
  [{ OIDC_LABEL: 'x'.repeat(51) }, 'OIDC_LABEL must be at most 50 characters'],
])('refuses to start with %j', (wrong, sentence) => {
  expect(() => read({ ...whole, ...wrong } as Record<string, string>)).toThrow(sentence)
})
