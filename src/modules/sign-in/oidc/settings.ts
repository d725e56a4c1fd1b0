import {
  must,
  type Parse,
  type Settings,
  text,
  trueOrFalse,
  trustedUrl,
} from '../../../platform/config/settings.ts'
import { StartError } from '../../../platform/config/start-error.ts'

export type OidcSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  scopes: string
  /** Label of the button. */
  label: string
  /** False for providers that refuse unknown parameters: neither PKCE nor max_age is sent. */
  pkce: boolean
}

/** Null: signing in at an identity provider is off. */
export const oidcSettings = {
  name: 'sign-in',
  read(read): OidcSettings | null {
    const issuer = read.optional('OIDC_ISSUER', issuerUrl)
    const clientId = read.optional('OIDC_CLIENT_ID', text)
    const clientSecret = read.optional('OIDC_CLIENT_SECRET', text)
    const scopes = read.or('OIDC_SCOPES', scopeList, 'openid email profile')
    const label = read.or('OIDC_LABEL', labelText, 'OpenID Connect')
    const pkce = read.or('OIDC_PKCE', trueOrFalse, true)
    if (issuer === null && clientId === null && clientSecret === null) return null
    if (issuer === null || clientId === null || clientSecret === null)
      throw new StartError(
        'Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET together, or none of them.',
      )
    return { issuer, clientId, clientSecret, scopes, label, pkce }
  },
} satisfies Settings<OidcSettings | null>

const issuerUrl: Parse<string> = (value) => {
  const { search, hash, username, password } = new URL(trustedUrl(value))
  if (`${search}${hash}${username}${password}` !== '')
    throw must('an address without query, fragment or user')
  return value
}

const scopeList: Parse<string> = (value) => {
  const scopes = value.split(/\s+/)
  if (!scopes.includes('openid')) throw must('scopes separated by spaces, openid among them')
  return scopes.join(' ')
}

const labelText: Parse<string> = (value) => {
  if (value.length > 50) throw must('at most 50 characters')
  return value
}
