import type { Language } from '../platform/http/language.ts'

/**
 * Reloads the page once the application is ready. Keeps the URL fragment, which holds the token of a sign-in
 * link.
 */
export const reloadScript = `const retry = async () => {
  const ready = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).then(({ ok }) => ok, () => false)
  if (ready) location.reload()
  else setTimeout(retry, 1000)
}
setTimeout(retry, 1000)
`

const texts = {
  en: {
    building: [
      'The back-office is being prepared',
      'This takes a few seconds. The page loads by itself when it is ready.',
    ],
    failed: [
      'The back-office could not be prepared',
      'The service tries again by itself. Its log says why it failed; the API works as usual.',
    ],
    noScript: 'This application needs JavaScript.',
  },
  fr: {
    building: [
      'Le back-office se prépare',
      'Quelques secondes suffisent. La page se charge d’elle-même dès que tout est prêt.',
    ],
    failed: [
      'Le back-office n’a pas pu être préparé',
      'Le service réessaie de lui-même. Son journal en donne la raison ; l’API fonctionne normalement.',
    ],
    noScript: 'Cette application a besoin de JavaScript.',
  },
} as const

/** Returns the page shown until the application is built. */
export function waitingPage(language: Language, state: 'building' | 'failed', nonce: string): string {
  const [title, text] = texts[language][state]
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Parvis</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 24px }
main { max-width: 26rem }
h1 { font-size: 1.25rem; margin: 0 0 8px }
p { margin: 0; opacity: .8 }
</style>
<script src="/backoffice/reload.js" defer></script>
</head>
<body><main><div role="status"><h1>${title}</h1><p>${text}</p></div><noscript><p>${texts[language].noScript}</p></noscript></main></body>
</html>
`
}
