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
    en: 'is neither a picture that can be shown nor a PDF: send a JPEG, PNG, WebP, GIF, AVIF or PDF file',
    fr: 'n’est ni une image que l’on peut afficher ni un PDF : envoyez un fichier JPEG, PNG, WebP, GIF, AVIF ou PDF',
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
  infected: {
    en: 'contains a virus, says our antivirus: have your device checked, and send another file',
    fr: 'contient un virus, d’après notre antivirus : faites vérifier votre appareil, et envoyez un autre fichier',
  },
  two_formats: {
    en: 'is a picture or a PDF, and another kind of file at once: save it again as JPEG, PNG or PDF, then send that',
    fr: 'est à la fois une image ou un PDF, et un autre type de fichier : enregistrez-le à nouveau en JPEG, PNG ou PDF, puis envoyez ce fichier',
  },
  pdf_damaged: {
    en: 'is a damaged or incomplete PDF: open it on your device, print it as a new PDF, then send that',
    fr: 'est un PDF abîmé ou incomplet : ouvrez-le sur votre appareil, imprimez-le dans un nouveau PDF, puis envoyez celui-ci',
  },
  pdf_trailing: {
    en: 'has other data behind the end of the PDF, or is incomplete: print it as a new PDF, then send that',
    fr: 'a d’autres données après la fin du PDF, ou est incomplet : imprimez-le dans un nouveau PDF, puis envoyez celui-ci',
  },
  pdf_password: {
    en: 'is protected by a password: save it without protection, then send that',
    fr: 'est protégé par un mot de passe : enregistrez-le sans protection, puis envoyez ce fichier',
  },
  pdf_script: {
    en: 'contains a program (JavaScript), as forms to fill in do: print it as a new PDF, then send that',
    fr: 'contient un programme (JavaScript), comme les formulaires à remplir : imprimez-le dans un nouveau PDF, puis envoyez celui-ci',
  },
  pdf_launch: {
    en: 'starts other programs when somebody opens it: print it as a new PDF, then send that',
    fr: 'lance d’autres programmes quand on l’ouvre : imprimez-le dans un nouveau PDF, puis envoyez celui-ci',
  },
  pdf_files: {
    en: 'contains other files, as attachments: send these one by one, and the document without them',
    fr: 'contient d’autres fichiers, en pièces jointes : envoyez-les un par un, et le document sans eux',
  },
  pdf_media: {
    en: 'contains a film, a sound or a model in three dimensions: print it as a new PDF, then send that',
    fr: 'contient un film, un son ou un modèle en trois dimensions : imprimez-le dans un nouveau PDF, puis envoyez celui-ci',
  },
  pdf_actions: {
    en: 'does more than show pages and link to the web, mail addresses or telephone numbers (a button that sends or prints, a link to a file): print it as a new PDF, then send that',
    fr: 'fait plus que montrer des pages et renvoyer vers le web, des adresses de courriel ou des numéros de téléphone (un bouton qui envoie ou imprime, un lien vers un fichier) : imprimez-le dans un nouveau PDF, puis envoyez celui-ci',
  },
}

export const refusedFile = (refusal: Refusal): ApiError => invalid('file', sentences[refusal])
