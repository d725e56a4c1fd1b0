import type { Image } from '../modules/media/schema.ts'
import { html, type Markup } from './html.ts'

type Format = keyof Image['src'][400]

/** Width of the text, in CSS pixels. */
const sizes = '(max-width: 48rem) 100vw, 48rem'

const sourcesOf = ({ src, width }: Image, format: Format) =>
  Object.entries<Image['src'][400]>(src)
    .map(([each, addresses]) => `${addresses[format]} ${Math.min(Number(each), width)}w`)
    .join(', ')

/** Returns a picture of ours in every format and width, with its size, so that nothing moves when it arrives. */
export function picture(image: Image): Markup {
  const { alt, width, height, src } = image
  const source = (format: Format) =>
    html`<source type="image/${format}" srcset="${sourcesOf(image, format)}" sizes="${sizes}">`
  return html`<figure class="picture own"><picture>${source('avif')}${source('webp')}<img src="${(src[800] ?? src[400]).jpeg}" srcset="${sourcesOf(image, 'jpeg')}" sizes="${sizes}" alt="${alt ?? ''}" loading="lazy" width="${width}" height="${height}"></picture></figure>`
}

/** Returns the path of the largest JPEG, which other sites show. */
export const largestJpeg = ({ src }: Image): string => (src[1600] ?? src[800] ?? src[400]).jpeg
