import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Text } from '../../../platform/errors.ts'
import { escapeHtml } from '../../../platform/formats/text.ts'
import { type Language, languageOf } from '../../../platform/http/language.ts'

/**
 * Renders a page that redirects by itself. An HTTP redirect would not do: it continues a request from another
 * site, and browsers send the session cookie (SameSite=Strict) only with requests from a page of this
 * service.
 */
export function goOnPage(request: FastifyRequest, reply: FastifyReply, to: string): string {
  return page(request, reply, goesOn, { refresh: true, to, link: onward })
}

/** Shows a refusal as a page to browsers. Other clients get the usual error. */
export async function showRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const isForPeople = request.headers.accept?.includes('text/html') ?? false
  if (reply.statusCode < 400 || !isForPeople) return payload
  const isDisabled = String(reply.getHeader('www-authenticate')).includes('account_disabled')
  const words = isDisabled ? disabled : (refusals[reply.statusCode] ?? broken)
  return page(request, reply, words, { refresh: false, to: '/backoffice/sign-in', link: back })
}

type Words = { title: Text; text: Text }
type Way = { refresh: boolean; to: string; link: Text }

function page(
  request: FastifyRequest,
  reply: FastifyReply,
  words: Words,
  { refresh, to, link }: Way,
): string {
  const language: Language = languageOf(request.headers['accept-language'])
  const nonce = randomBytes(16).toString('base64url')
  reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', `default-src 'none'; style-src 'nonce-${nonce}'; ${closed}`)
    .header('vary', 'Accept, Accept-Language')
  const address = escapeHtml(to)
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refresh ? `<meta http-equiv="refresh" content="0;url=${address}">\n` : ''}<title>${words.title[language]} · Parvis</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 24px }
main { max-width: 26rem }
h1 { font-size: 1.25rem; margin: 0 0 8px }
</style>
</head>
<body><main><h1>${words.title[language]}</h1><p>${words.text[language]}</p><p><a href="${address}">${link[language]}</a></p></main></body>
</html>
`
}

const closed = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const onward = { en: 'Continue', fr: 'Continuer' }
const back = { en: 'Back to sign-in', fr: 'Revenir à la connexion' }

const goesOn: Words = {
  title: { en: 'You are signed in', fr: 'Connexion réussie' },
  text: { en: 'The back-office opens by itself.', fr: 'Le back-office s’ouvre de lui-même.' },
}

const disabled: Words = {
  title: { en: 'Your account is disabled', fr: 'Votre compte est désactivé' },
  text: { en: 'An administrator can enable it.', fr: 'Un administrateur peut le réactiver.' },
}

const broken: Words = {
  title: { en: 'This did not work', fr: 'Cela n’a pas fonctionné' },
  text: { en: 'Please begin again.', fr: 'Recommencez.' },
}

const refusals: Record<number, Words> = {
  401: {
    title: { en: 'The sign-in did not succeed', fr: 'La connexion n’a pas abouti' },
    text: {
      en: 'It was cancelled, took longer than ten minutes, or was begun in another browser or tab. Please try again.',
      fr: 'Elle a été annulée, a pris plus de dix minutes, ou a commencé dans un autre navigateur ou onglet. Réessayez.',
    },
  },
  404: {
    title: { en: 'This way to sign in is not offered', fr: 'Ce moyen de connexion n’est pas proposé' },
    text: {
      en: 'The sign-in page shows the ways that are.',
      fr: 'La page de connexion montre ceux qui le sont.',
    },
  },
  429: {
    title: { en: 'Too many attempts', fr: 'Trop de tentatives' },
    text: { en: 'Please try again in an hour.', fr: 'Réessayez dans une heure.' },
  },
  503: {
    title: { en: 'The identity provider does not answer', fr: 'Le fournisseur d’identité ne répond pas' },
    text: {
      en: 'Please try again in a few minutes, or sign in another way.',
      fr: 'Réessayez dans quelques minutes, ou connectez-vous autrement.',
    },
  },
}
