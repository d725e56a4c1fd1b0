import { type ApiError, invalid, type Text } from '../../../platform/errors.ts'
import type { Refusal } from './decoded.ts'

/** Says why a file is refused, and what to do. */
const sentences: Record<Refusal, Text> = {
  svg: {
    en: 'is a drawing (SVG): export it as PNG, then send that',
    fr: 'est un dessin (SVG) : exportez-le en PNG, puis envoyez ce fichier',
  },
  heic: {
    en: 'is in the HEIC format of an iPhone: choose JPEG in its settings (Camera, Formats, Most Compatible), or send it from Safari, which converts it',
    fr: 'est au format HEIC d’un iPhone : choisissez JPEG dans les réglages (Appareil photo, Formats, Le plus compatible), ou envoyez-la depuis Safari, qui la convertit',
  },
  tiff: {
    en: 'is in the format of a scanner or a camera (TIFF, raw): save it as JPEG, then send that',
    fr: 'est au format d’un scanner ou d’un appareil photo (TIFF, brut) : enregistrez-la en JPEG, puis envoyez ce fichier',
  },
  unknown: {
    en: 'is not a picture that can be shown: send a JPEG, PNG, WebP, GIF or AVIF file',
    fr: 'n’est pas une image que l’on peut afficher : envoyez un fichier JPEG, PNG, WebP, GIF ou AVIF',
  },
  animated: {
    en: 'is animated: save one of its pictures as JPEG or PNG, then send that',
    fr: 'est animée : enregistrez une seule de ses images en JPEG ou PNG, puis envoyez ce fichier',
  },
  too_many_pixels: {
    en: 'has more than 50 megapixels: make it smaller, 4000 pixels wide for example',
    fr: 'dépasse 50 mégapixels : réduisez-la, par exemple à 4000 pixels de large',
  },
  damaged: {
    en: 'is damaged or incomplete: open it on your device, save it again, then send that',
    fr: 'est abîmé ou incomplet : ouvrez-le sur votre appareil, enregistrez-le à nouveau, puis renvoyez-le',
  },
  two_formats: {
    en: 'is a picture and another kind of file at once: save it again as JPEG or PNG, then send that',
    fr: 'est à la fois une image et un autre type de fichier : enregistrez-la à nouveau en JPEG ou PNG, puis envoyez ce fichier',
  },
}

export const refusedFile = (refusal: Refusal): ApiError => invalid('file', sentences[refusal])
