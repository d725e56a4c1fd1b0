import { withCanOf } from '../../platform/access/rules.ts'
import { settingsOf } from '../../platform/config/config.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { createProver } from './proof.ts'
import { domainsList } from './queries.ts'
import { createDomain, deleteDomain, makePrimary, readDomain, updateDomain, verifyDomain } from './rules.ts'
import { ById, Domain, DomainCreate, DomainsQuery, DomainUpdate, domainActions } from './schema.ts'
import { domainsSettings } from './settings.ts'

export function domainsAdminRoutes(scope: SignedInScope, deps: Deps): void {
  const { reads, lists, config } = deps
  const prove = createProver(settingsOf(config, domainsSettings))
  scope.get(
    '/admin/domains',
    {
      schema: {
        operationId: 'listDomains',
        summary: 'List the domains of communes and groups, by host by default',
        querystring: DomainsQuery,
        response: { 200: ListPage(Domain) },
      },
    },
    async ({ query }) => listPage(lists, domainsList, query, (rows) => rows.map(withCanOf(domainActions))),
  )

  scope.post(
    '/admin/domains',
    {
      config: { audits: 'domain.create', refusals: ['conflict'], location: '/admin/domains/{id}' },
      schema: {
        operationId: 'createDomain',
        summary: 'Add a domain of a commune or of a group',
        description: '409 `conflict`: the host is known already.',
        body: DomainCreate,
        response: { 201: record(Domain) },
      },
    },
    async ({ body, caller }, reply) => reply.code(201).send({ data: await createDomain(deps, caller, body) }),
  )

  scope.get(
    '/admin/domains/:id',
    {
      schema: {
        operationId: 'getDomain',
        summary: 'Read a domain',
        params: ById,
        response: { 200: record(Domain) },
      },
    },
    async ({ params }) => ({ data: await readDomain(reads, params) }),
  )

  scope.patch(
    '/admin/domains/:id',
    {
      config: { audits: 'domain.update', refusals: ['conflict', 'precondition_failed'] },
      schema: {
        operationId: 'updateDomain',
        summary: 'Change the host of a domain, which is then verified anew, or its commune or group',
        description: '409 `conflict`: the host is known already.',
        params: ById,
        body: DomainUpdate,
        response: { 200: record(Domain) },
      },
    },
    async ({ params, body, caller }) => ({ data: await updateDomain(deps, caller, params.id, body) }),
  )

  scope.post(
    '/admin/domains/:id/verify',
    {
      config: {
        audits: 'domain.verify',
        refusals: ['conflict', 'domain_unproven', 'precondition_failed'],
      },
      schema: {
        operationId: 'verifyDomain',
        summary: 'Look for the token of a domain in its DNS and on its host',
        description:
          'As the TXT record `_parvis.<host>`, or the text of `/.well-known/parvis-domain` there. It may take 8 s. 409 `conflict`: the host was changed meanwhile.',
        params: ById,
        response: { 200: record(Domain) },
      },
    },
    async ({ params, caller }) => ({ data: await verifyDomain(deps, prove, caller, params.id) }),
  )

  scope.post(
    '/admin/domains/:id/primary',
    {
      config: {
        audits: 'domain.make_primary',
        refusals: ['domain_unproven', 'precondition_failed'],
      },
      schema: {
        operationId: 'makeDomainPrimary',
        summary: 'Choose a proven domain as the address of its commune or group',
        description:
          'Canonical links, structured data and mails have it, instead of the oldest proven domain or of another that was chosen.',
        params: ById,
        response: { 200: record(Domain) },
      },
    },
    async ({ params, caller }) => ({ data: await makePrimary(deps, caller, params.id) }),
  )

  scope.delete(
    '/admin/domains/:id',
    {
      config: { audits: 'domain.delete', refusals: ['precondition_failed'] },
      schema: {
        operationId: 'deleteDomain',
        summary: 'Delete a domain; the response shows it as it last was',
        params: ById,
        response: { 200: record(Domain) },
      },
    },
    async ({ params, caller }) => ({ data: await deleteDomain(deps, caller, params.id) }),
  )
}
