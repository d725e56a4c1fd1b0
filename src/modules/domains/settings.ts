import { isIP } from 'node:net'
import { list, must, type Parse, type Settings, trueOrFalse } from '../../platform/config/settings.ts'

/** An address of a name server, with a port or without. */
const nameServer: Parse<string> = (value) => {
  const [, host = '', port] = /^\[?(.*?)\]?(?::(\d{1,5}))?$/.exec(isIP(value) ? `[${value}]` : value) ?? []
  if (isIP(host) === 0 || Number(port ?? 53) > 65_535)
    throw must('addresses such as 9.9.9.9 or [2620:fe::fe]:53')
  return value
}

export type DomainsSettings = {
  /** Asked for the tokens of domains; empty: the name servers of the system. */
  nameServers: string[]
  /** Hosts with a token as a file may lie on private networks. */
  allowPrivate: boolean
}

export const domainsSettings = {
  name: 'domains',
  read: (read) => ({
    nameServers: read.or('DOMAIN_NAME_SERVERS', list(nameServer), []),
    allowPrivate: read.or('IMPORT_ALLOW_PRIVATE', trueOrFalse, false),
  }),
} satisfies Settings<DomainsSettings>
