import register from '@etalab/decoupage-administratif/data/departements.json' with { type: 'json' }

/** The départements and what stands for one overseas, in the order of their codes. */
export const departements: readonly { code: string; nom: string }[] = register.toSorted((one, other) =>
  one.code < other.code ? -1 : 1,
)

const names = new Map(departements.map(({ code, nom }) => [code, nom]))

/** True for a code of the register. */
export const isDepartement = (code: string): boolean => names.has(code)

/** Returns the name of a département; its code if the register does not know it. */
export const nameOfDepartement = (code: string): string => names.get(code) ?? code

/** Returns the code of the département of an INSEE code: three characters overseas. */
export const departementOf = (codeInsee: string) => codeInsee.slice(0, /^9[78]/.test(codeInsee) ? 3 : 2)
