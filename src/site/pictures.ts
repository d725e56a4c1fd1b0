import type { Document, Image } from '../modules/media/schema.ts'
import { html, type Markup } from './html.ts'
import { t } from './text.ts'

type Format = keyof Image['src'][400]

/** `sizes`: how wide it is shown, in CSS pixels. `max`: no wider variant is offered. */
type Shown = { sizes: string; max: number; isEager?: boolean; isFirst?: boolean }

/** As wide as the text. `isFirst`: it is the largest thing of the first screen, and is loaded before the other pictures. */
export const picture = (image: Image, { isFirst = false } = {}): Markup =>
  html`<figure class="picture">${sourced(image, { sizes: '(max-width: 48rem) 100vw, 48rem', max: 1_600, isEager: isFirst, isFirst })}</figure>`

/** Where a cover stands: above the text of a card, or small beside a row. */
const covers = {
  card: { sizes: '(max-width: 40rem) 100vw, 24rem', max: 800 },
  row: { sizes: '8rem', max: 400 },
}
export type CoverPlace = keyof typeof covers

/** Returns the first picture of a publication. `isEager`: it stands on the first screen. */
export const cover = ([first]: readonly Image[], place: CoverPlace, isEager = false): Markup | undefined =>
  first && html`<div class="cover">${sourced(first, { ...covers[place], isEager })}</div>`

/** Returns the logo of an acteur, whose name stands beside it and says the same. */
export const logo = (image: Image | null): Markup | null =>
  image && html`<div class="logo">${sourced({ ...image, alt: null }, { sizes: '6rem', max: 400 })}</div>`

/** Returns the arms of a commune, beside its name. */
export const arms = ({ src }: Image): Markup =>
  html`<img class="arms" src="${src[400].webp}" alt="" width="48" height="56">`

/** Returns the photo of a commune across the page: the largest thing of the first screen. */
export const view = (image: Image): Markup =>
  sourced(image, { sizes: '100vw', max: 1_600, isEager: true, isFirst: true })

/** Returns the picture of what a page puts first. */
export const storyPhoto = (image: Image): Markup =>
  html`<div class="photo">${sourced({ ...image, alt: null }, { sizes: '(min-width: 60em) 40rem, 100vw', max: 1_600 })}</div>`

/** Returns the portrait of an élu, beside the name too. */
export const portrait = (image: Image | null): Markup | null =>
  image &&
  html`<div class="logo portrait">${sourced({ ...image, alt: null }, { sizes: '6rem', max: 400 })}</div>`

/** Returns a picture of ours in every format and width, with its size, so that nothing moves when it arrives. */
function sourced(image: Image, { sizes, max, isEager = false, isFirst = false }: Shown): Markup {
  const { alt, width, height, src } = image
  const sourcesOf = (format: Format) =>
    Object.entries<Image['src'][400]>(src)
      .filter(([each]) => Number(each) <= max)
      .map(([each, addresses]) => `${addresses[format]} ${Math.min(Number(each), width)}w`)
      .join(', ')
  const source = (format: Format) =>
    html`<source type="image/${format}" srcset="${sourcesOf(format)}" sizes="${sizes}">`
  const usual = (max > 400 && src[800]) || src[400]
  return html`<picture>${source('avif')}${source('webp')}<img src="${usual.jpeg}" srcset="${sourcesOf('jpeg')}" sizes="${sizes}" alt="${alt ?? ''}"${!isEager && html` loading="lazy"`}${isFirst && html` fetchpriority="high"`} width="${width}" height="${height}"></picture>`
}

/** Returns the documents of a publication, each with its first page, which says no more than its name does. */
export const documentList = (
  documents: readonly Document[],
): Markup => html`<section class="documents" aria-labelledby="documents">
<h2 id="documents">${t.publication.documents}</h2>
<ul>${documents.map(
  ({ nom, bytes, pages, url, apercu: { 400: first } }) => html`<li><a href="${url}">
<picture><source type="image/avif" srcset="${first.avif}"><source type="image/webp" srcset="${first.webp}"><img src="${first.jpeg}" alt="" loading="lazy" width="72" height="96"></picture>
<span>${nom}</span></a>
<p class="meta">${t.publication.document(bytes, pages)}</p></li>
`,
)}</ul></section>`

/** A picture of 1200 × 630 that other sites show with a link to a page. */
export type SharedImage = { path: string; alt: string | null }

/** Cut to the part that draws the eye. */
export const sharedImage = ({ id, alt }: Pick<Image, 'id' | 'alt'>): SharedImage => ({
  path: `/media/${id}/partage.jpg`,
  alt,
})

/** The whole picture on a white ground, for logos and arms. */
export const sharedWhole = ({ id, alt }: Pick<Image, 'id' | 'alt'>): SharedImage => ({
  path: `/media/${id}/partage-entier.jpg`,
  alt,
})

/** Returns the path of the largest JPEG, which feeds and search engines show. */
export const largestJpeg = ({ src }: Image): string => (src[1600] ?? src[800] ?? src[400]).jpeg
