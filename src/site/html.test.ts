import { expect, test } from 'vitest'
import { html, json, sanitisedText, textOf } from './html.ts'

test('no text leaves its script element, and each is read back as it was', () => {
  const parts = [
    '</script>',
    '<!--',
    '<script>',
    ']]>',
    '-->',
    '&lt;',
    '\u2028',
    '\u2029',
    '"',
    '\\',
    "'",
    '\u0000',
    '\ud800',
  ]
  for (let n = 0; n < 4_000; n++) {
    const text = Array.from({ length: 4 }, (_, at) => parts[(n * (at + 3) + at * at) % parts.length]).join(
      `${n % 7}`,
    )
    const data = { '@type': 'Event', name: text, description: `${text}${text}` }
    const element = textOf(html`<script type="application/ld+json">${json(data)}</script>`)
    const [, content = ''] = /^<script type="application\/ld\+json">([^<]*)<\/script>$/.exec(element) ?? []
    expect(content, JSON.stringify(text)).not.toMatch(/[\u2028\u2029]/)
    expect(JSON.parse(content)).toEqual(data)
  }
})

test('texts are escaped, and markup is not', () => {
  const hostile = '"><img src=x onerror=alert(1)>'
  expect(textOf(html`<a title="${hostile}">${hostile}</a>`)).not.toContain('<img')
  expect(textOf(html`<ul>${['a', 'b'].map((one) => html`<li>${one}</li>`)}${null}${false}</ul>`)).toBe(
    '<ul><li>a</li><li>b</li></ul>',
  )
})

test('headings of a text begin at h2 and leave out no level', () => {
  const written = '<h3>a</h3><h4>b</h4><h3>c</h3><h2>d</h2><h4>e</h4>'
  expect(textOf(sanitisedText(written))).toBe('<h2>a</h2><h3>b</h3><h2>c</h2><h2>d</h2><h3>e</h3>')
})
