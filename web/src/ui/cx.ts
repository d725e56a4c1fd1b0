/** Joins the names of classes that are there. */
export const cx = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(' ')
