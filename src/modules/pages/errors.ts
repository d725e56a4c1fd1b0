import { type Errors, errorOf } from '../../platform/errors.ts'

export const pagesErrors = {
  too_many_pages: {
    status: 409,
    en: 'A commune has at most 200 pages: delete one first.',
    fr: 'Une commune a au plus 200 pages : supprimez-en une d’abord.',
  },
  page_has_pages: {
    status: 409,
    en: 'Other pages stand below this one: move or delete them first.',
    fr: 'D’autres pages sont rangées sous celle-ci : déplacez-les ou supprimez-les d’abord.',
  },
} satisfies Errors

export const tooManyPages = errorOf(pagesErrors, 'too_many_pages')
export const pageHasPages = errorOf(pagesErrors, 'page_has_pages')
