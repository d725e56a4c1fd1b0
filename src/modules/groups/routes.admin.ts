import { withCanOf } from '../../platform/access/rules.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { managedGroups } from './queries.ts'
import { createGroup, deleteGroup, readGroup, updateGroup } from './rules.ts'
import {
  ById,
  GroupCreate,
  GroupsAdminQuery,
  GroupUpdate,
  groupActions,
  ManagedGroup,
  ManagedGroupFull,
} from './schema.ts'

const taken = ['slug_taken', 'conflict']

export function groupsAdminRoutes(scope: SignedInScope, deps: Deps): void {
  const { reads, lists } = deps
  scope.get(
    '/admin/groups',
    {
      schema: {
        operationId: 'listManagedGroups',
        summary: 'List groups of communes, by name by default',
        querystring: GroupsAdminQuery,
        response: { 200: ListPage(ManagedGroup) },
      },
    },
    async ({ query }) => listPage(lists, managedGroups, query, (rows) => rows.map(withCanOf(groupActions))),
  )

  scope.post(
    '/admin/groups',
    {
      config: { audits: 'group.create', refusals: taken, location: '/admin/groups/{id}' },
      schema: {
        operationId: 'createGroup',
        summary: 'Create a group of communes',
        description: '409 `conflict`: another group has its SIREN.',
        body: GroupCreate,
        response: { 201: record(ManagedGroupFull) },
      },
    },
    async ({ body, caller }, reply) => reply.code(201).send({ data: await createGroup(deps, caller, body) }),
  )

  scope.get(
    '/admin/groups/:id',
    {
      schema: {
        operationId: 'getManagedGroup',
        summary: 'Read a group with its members',
        params: ById,
        response: { 200: record(ManagedGroupFull) },
      },
    },
    async ({ params }) => ({ data: await readGroup(reads, params) }),
  )

  scope.patch(
    '/admin/groups/:id',
    {
      config: { audits: 'group.update', refusals: [...taken, 'precondition_failed'] },
      schema: {
        operationId: 'updateGroup',
        summary: 'Update a group; `commune_ids`, if given, replaces all members',
        description: '409 `conflict`: another group has its SIREN.',
        params: ById,
        body: GroupUpdate,
        response: { 200: record(ManagedGroupFull) },
      },
    },
    async ({ params, body, caller }) => ({ data: await updateGroup(deps, caller, params.id, body) }),
  )

  scope.delete(
    '/admin/groups/:id',
    {
      config: { audits: 'group.delete', refusals: ['conflict', 'precondition_failed'] },
      schema: {
        operationId: 'deleteGroup',
        summary: 'Delete a group; the response shows it as it last was',
        params: ById,
        response: { 200: record(ManagedGroupFull) },
      },
    },
    async ({ params, caller }) => ({ data: await deleteGroup(deps, caller, params.id) }),
  )
}
