import type { Role } from '../../platform/access/areas.ts'
import type { Permission } from '../../platform/access/caller.ts'
import { ownIssuer } from '../../platform/access/tokens.ts'
import type { Database } from '../../platform/database/connect.ts'
import { uuidv7At } from '../../platform/uuid.ts'

/** Users of every role and state, members of the demo acteurs that are there. Nobody has a token of theirs yet. */
export async function insertDemoUsers(db: Database): Promise<void> {
  const acteurs = await db
    .selectFrom('acteurs')
    .select(['id', 'slug'])
    .where(
      'slug',
      'in',
      demoUsers.flatMap(({ memberships }) => memberships.map(({ slug }) => slug)),
    )
    .execute()
  const idOf = new Map(acteurs.map(({ slug, id }) => [slug, id]))
  const users = demoUsers.map((user, index) => ({ ...user, ...userRow(user, index) }))
  await db
    .insertInto('users')
    .values(users.map(({ roles, memberships, ...row }) => row))
    .execute()
  const held = users.flatMap(({ id, roles }) => roles.map((role) => ({ user_id: id, role })))
  await db.insertInto('user_roles').values(held).execute()
  const links = users.flatMap(({ id, memberships }) =>
    memberships.flatMap(({ slug, ...membership }) => {
      const acteur_id = idOf.get(slug)
      return acteur_id === undefined ? [] : [{ user_id: id, acteur_id, ...membership }]
    }),
  )
  if (links.length > 0) await db.insertInto('actor_users').values(links).execute()
}

type DemoMembership = { slug: string; role: 'owner' | 'editor'; permissions: Permission[] }
type DemoUser = { nom: string; email: string; actif: boolean; roles: Role[]; memberships: DemoMembership[] }

const dayMs = 24 * 3_600_000

/** Some came long ago, some yesterday; the first of each five was never seen since. */
function userRow({ email }: DemoUser, index: number) {
  const made = new Date(Date.now() - (demoUsers.length - index) * 11 * dayMs)
  const seen = index % 5 === 0 ? null : new Date(Date.now() - (index % 9) * dayMs - 3_600_000)
  const dates = { created_at: made, updated_at: made, last_seen_at: seen }
  return { id: uuidv7At(made.getTime()), issuer: ownIssuer, subject: email, ...dates }
}

const person = (nom: string, email: string, more: Partial<DemoUser> = {}): DemoUser => ({
  nom,
  email: `${email}@example.org`,
  actif: true,
  roles: [],
  memberships: [],
  ...more,
})
const owner = (slug: string): DemoMembership => ({ slug, role: 'owner', permissions: [] })
const editor = (slug: string, ...permissions: Permission[]): DemoMembership => ({
  slug,
  role: 'editor',
  permissions,
})
const [manage, publish] = ['manage_publications', 'publish_publications'] as const

const demoUsers: DemoUser[] = [
  person('Odile Vauquelin', 'odile.vauquelin', { roles: ['admin'] }),
  person('Anatole Brizard', 'anatole.brizard', { roles: ['platform_admin'] }),
  person('Mireille Castagnet', 'mireille.castagnet', { roles: ['moderator'] }),
  person('Yanis Delorme', 'yanis.delorme', { roles: ['moderator', 'support'] }),
  person('Solène Kermarrec', 'solene.kermarrec', { roles: ['support'] }),
  person('Hubert Lacassagne', 'hubert.lacassagne', { roles: ['moderator'], actif: false }),
  person('Fatou N’Diongue', 'fatou.ndiongue', { memberships: [owner('mairie-de-chambery')] }),
  person('Gaspard Thévenoz', 'gaspard.thevenoz', {
    memberships: [editor('mairie-de-chambery', manage, publish)],
  }),
  person('Lucile Armandet', 'lucile.armandet', { memberships: [editor('mairie-de-lyon', manage)] }),
  person('Erwan Le Guerrec', 'erwan.leguerrec', { memberships: [editor('mairie-de-rennes', publish)] }),
  person('Colette Banquart', 'colette.banquart', {
    memberships: [owner('les-croqueurs-de-pommes-de-la-leysse-73065')],
  }),
  person('Nino Falchetti', 'nino.falchetti', {
    memberships: [
      editor('les-croqueurs-de-pommes-de-la-leysse-73065', manage),
      editor('chambery-escalade-club-73065', manage, publish),
    ],
  }),
  person('Aïssata Mbodji', 'aissata.mbodji', { memberships: [owner('la-soupe-de-sainte-marthe-75056')] }),
  person('Théodore Quillevic', 'theodore.quillevic', {
    memberships: [editor('comite-des-fetes-de-la-vilaine-35238')],
  }),
  person('Jeanne-Marie Hoarau', 'jeannemarie.hoarau', { memberships: [owner('team-roche-ecrite-97411')] }),
  person('Félicien Oberkampf', 'felicien.oberkampf', {
    memberships: [
      owner('boulangerie-oberlin-kieffer-67482'),
      editor('chorale-de-la-robertsau-67482', manage),
    ],
  }),
  person('Rosalie Pinchon', 'rosalie.pinchon', { memberships: [owner('cine-club-d-y-80829')] }),
  person('Bastien Courtemanche', 'bastien.courtemanche', {
    memberships: [owner('theatre-du-petit-panier-13055')],
  }),
  person('Inès Sauvageot', 'ines.sauvageot', {
    memberships: [editor('boule-des-accoules-13055', publish)],
    actif: false,
  }),
  person('Prosper Nkoulou', 'prosper.nkoulou'),
  person('Blandine Yvetot', 'blandine.yvetot'),
  person('Côme Zabalza', 'come.zabalza', { actif: false }),
]
