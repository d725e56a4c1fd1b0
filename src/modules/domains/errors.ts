import { type Errors, errorOf } from '../../platform/errors.ts'

export const domainsErrors = {
  domain_unproven: {
    status: 409,
    en: 'Neither the DNS nor the file on the host shows the token yet.',
    fr: 'Ni le DNS ni le fichier sur l’hôte ne montrent encore le jeton.',
  },
} satisfies Errors

export const domainUnproven = errorOf(domainsErrors, 'domain_unproven')
