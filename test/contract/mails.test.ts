import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { modules } from '../../src/app.ts'
import { deactivatedMail } from '../../src/modules/acteurs/notify.mail.ts'
import { hiddenMail } from '../../src/modules/alertes/hiding.mail.ts'
import { reminderMail } from '../../src/modules/alertes/remind.mail.ts'
import { sealNotice } from '../../src/modules/audit/seals/mail.ts'
import { decisionMail } from '../../src/modules/claims/notify.mail.ts'
import { decisionMails } from '../../src/modules/claims/notify.ts'

import { questionMail } from '../../src/modules/claims/question/mail.ts'
import { receiptMail } from '../../src/modules/claims/receipt/mail.ts'
import { complaintMail } from '../../src/modules/complaints/mail.ts'
import { waitingIn } from '../../src/modules/dashboard/counts.ts'
import { digestMail } from '../../src/modules/digest/mail.ts'
import { teamInvitationMail } from '../../src/modules/espace/invitations/mail.ts'
import { heldNotice, pausedNotice } from '../../src/modules/imports/run/mail.ts'
import { uncertainNotice } from '../../src/modules/mails/mail.ts'
import { replyMails } from '../../src/modules/messages/replying/jobs.ts'
import { replyMail } from '../../src/modules/messages/replying/mail.ts'
import { failureNotice } from '../../src/modules/payments/failures/mail.ts'
import { acceptanceMail } from '../../src/modules/publications/acceptance/mail.ts'
import { effects } from '../../src/modules/publications/decisions/reversing.ts'
import { authorMail } from '../../src/modules/publications/notify.mail.ts'
import { endedBy, outcomes } from '../../src/modules/publications/reports/cases.ts'
import { reporterMail } from '../../src/modules/publications/reports/mail.ts'
import { formerAddressMail } from '../../src/modules/sign-in/account/mail.ts'
import { codeMail, signInMail } from '../../src/modules/sign-in/email/mail.ts'
import { invitationMail } from '../../src/modules/sign-in/invitations.mail.ts'
import { deviceMail } from '../../src/modules/sign-in/sessions/mail.ts'
import { actualitesMail, alerteMail, collectesMail } from '../../src/modules/subscribers/broadcasts/mail.ts'
import { confirmMail } from '../../src/modules/subscribers/mail.ts'
import { testMail } from '../../src/modules/system/mail.ts'
import { addedMail } from '../../src/modules/users/added.mail.ts'
import { webhookNotice } from '../../src/modules/webhooks/sending/notice.mail.ts'

const id = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'
const bouguenais = { id, slug: 'bouguenais', nom: 'Bouguenais' }
const followed = { id, isGroup: false, path: '/communes/bouguenais', nom: 'Bouguenais' }
const followedGroup = { id, isGroup: true, path: '/groupes/cc-des-rives', nom: 'CC des Rives' }
const to = 'zoe@example.org'
const from = 'Parvis <parvis@example.org>'
const url = 'https://parvis.example.org'
const at = new Date('2026-11-20T08:30:00Z')
const resident = {
  ...{ to, from, id, site: url, link: `${url}/abonnement/AZnJo1uOfMGd` },
  ...{ since: null, places: [followed] },
}
const languages = ['fr', 'en'] as const

const waiting = Object.fromEntries(
  waitingIn(modules).map(({ key }, index) => [
    key,
    { count: index + 1, oldest_at: index % 2 === 0 ? new Date('2026-11-18T08:00:00Z') : null },
  ]),
)
const space = `${url}/backoffice/espace/${id}`
const page = `${space}/publications/${id}`
const alerte = { id, mairie_id: id, titre: 'Eau coupée', since: at, nom: 'Bouguenais', address: to }
const hidden = {
  id,
  acteur_id: id,
  titre: 'Eau coupée',
  commune: 'Bouguenais',
  nom: 'Zoé Martin',
  address: to,
}
const publication = { id, user_id: id, nom: 'Zoé Martin', address: to, commune: null, total: 1 }
const subject = {
  publication_id: id,
  acteur_id: id,
  title: 'Fête du port',
  reason: null,
  by_report: null,
  by_machine: null,
  statement_id: null,
  edit: 'read_again',
} as const
const rule = {
  code: 'hors-sujet',
  label: 'Hors sujet',
  text: 'Le contenu ne concerne pas la commune.',
  kind: 'rule',
  reference: null,
} as const
const stated = {
  ...subject,
  statement_id: id,
  reason: 'La fête est à Nantes.',
  by_report: true,
  by_machine: false,
} as const
const unconfirmed = {
  ...{
    id,
    title: 'Fête du port',
    name: null,
    link: `${url}/signalement/AZnJo1uOfMGd`,
    objection: null,
    contact: `${url}/contact`,
  },
  ...{ outcome: null, ended_by: null, ground: null, followed_by: null },
}
const decided = { ground: rule, at: at.toISOString(), until: '2027-05-20T08:30:00Z' }
const law = { ...rule, kind: 'law', reference: 'Code civil, article 9' } as const
const objectionTo = () => `${url}/reclamation/sAZnJo1uOfMGd`
const deactivated = {
  ...{ id, title: 'Boule', ground: rule, reason: 'Le club n’existe plus.', by_report: true },
  ...{ at: at.toISOString(), until: '2027-05-20T08:30:00Z', nom: 'Zoé Martin', address: to },
}
const complained = {
  ...{
    id,
    title: 'Fête du port',
    text: 'La fête est à Bouguenais, sur le port.',
    nom: 'Zoé Martin',
    isReport: false,
    isActeur: false,
  },
  ...{ decision: null, answer: null, effect: null, decided_as: null },
} as const
const claim = { id, acteur_id: id, nom: 'Zoé Martin', address: to, acteur_nom: 'Boule' }
const reply = {
  message_id: `<${id}@example.org>`,
  body: 'Il sera levé demain.',
  email: to,
  number: 12,
  references: [],
}
/** An acteur for each role, one of them a mairie. */
const named = {
  editor: { acteur_nom: 'Boule', acteur_type: 'association' },
  owner: { acteur_nom: 'Mairie de Chambéry', acteur_type: 'mairie' },
}
const run = { id, held: 600, fetched: 640, error: 'The server refused the connection.' }
const uncertain = [
  { kind: 'claim_decision', count: 2 },
  { kind: 'support_reply', count: 1 },
]

type Printed = { subject: string; text: string; html?: string }
const both = (notice: Record<'fr' | 'en', Printed>) => languages.map((langue) => notice[langue])

/** A sample of each mail by the file of its text, in each language. */
const samples: Record<string, Record<string, Printed[]>> = {
  'acteurs/notify': {
    deactivatedMail: languages.flatMap((langue) => [
      deactivatedMail({ ...deactivated, langue }, to, { from, objection: objectionTo() }),
      deactivatedMail(
        { ...deactivated, ground: law, reason: null, by_report: false, nom: null, langue },
        to,
        {
          from,
          objection: null,
        },
      ),
    ]),
  },
  'alertes/hiding': {
    hiddenMail: languages.flatMap((langue) =>
      [`${space}/alertes`, null].map((page) => hiddenMail({ ...hidden, langue }, to, { from, page })),
    ),
  },
  'alertes/remind': {
    reminderMail: languages.map((langue) =>
      reminderMail({ ...alerte, langue }, to, { from, page: `${space}/alertes` }),
    ),
  },
  'audit/seals': { sealNotice: both(sealNotice([{ number: 7 }, { number: 8 }])) },
  'communes/hiding': {},
  'claims/notify': {
    decisionMail: languages.flatMap((langue) =>
      [
        { ...claim, status: 'approved', reason: null, account: 'theirs' as const },
        { ...claim, status: 'approved', reason: null, account: 'to_be_opened' as const },
        { ...claim, status: 'rejected', reason: 'Le club a déjà une page.', account: null },
        { ...claim, nom: null, status: 'rejected', reason: null, account: null },
      ].map((decision) => decisionMail({ ...decision, langue }, to, { from, space })),
    ),
  },
  'claims/question': {
    questionMail: languages.flatMap((langue) =>
      [
        { answers: { replyTo: 'aide@example.org' }, waits_until: at },
        { answers: {}, waits_until: null },
      ].map(({ answers, waits_until }) =>
        questionMail({ ...claim, body: 'Qui préside le club ?', langue, waits_until }, { to, from, answers }),
      ),
    ),
  },
  'claims/receipt': {
    receiptMail: languages.flatMap((langue) =>
      [claim.acteur_nom, null].map((acteur_nom) =>
        receiptMail({ ...claim, reference: 'K7P2-M4QX', acteur_nom, expires_at: at, langue }, { to, from }),
      ),
    ),
  },
  complaints: {
    complaintMail: languages.flatMap((langue) =>
      [
        { ...complained, kind: 'receipt' as const },
        {
          ...{
            ...complained,
            kind: 'answer' as const,
            decision: 'upheld' as const,
            decided_as: 'colleague' as const,
          },
          answer: 'La fête est à Nantes.',
        },
        ...effects.flatMap((effect) =>
          [false, true].map((isReport) => ({
            ...{ ...complained, kind: 'answer' as const, decision: 'reversed' as const, effect, isReport },
            ...{ decided_as: 'administrator' as const, nom: isReport ? null : complained.nom },
          })),
        ),
        {
          ...{
            ...complained,
            kind: 'answer' as const,
            decision: 'reversed' as const,
            effect: 'gone' as const,
          },
          ...{ decided_as: 'colleague' as const, isActeur: true },
        },
        { ...complained, kind: 'reversed' as const },
      ].map((about) => complaintMail({ ...about, langue }, { to, from, answers: {} })),
    ),
  },
  digest: { digestMail: languages.map((langue) => digestMail({ id, langue }, waiting, { to, from, url })) },
  'espace/invitations': {
    teamInvitationMail: languages.flatMap((langue) =>
      (['editor', 'owner'] as const).map((role) =>
        teamInvitationMail(
          { id, ...named[role], role, email: to, langue, invited_until: at },
          {
            from,
            answers: {},
            page: `${url}/backoffice/espace`,
            inviter: role === 'owner' ? 'Zoé Lambert' : null,
          },
        ),
      ),
    ),
  },
  'imports/run': {
    heldNotice: both(heldNotice({ nom: 'Agenda' }, run)),
    pausedNotice: both(pausedNotice({ nom: 'Agenda' }, run, 5)),
  },
  mails: {
    uncertainNotice: both(
      uncertainNotice(uncertain, { kinds: [decisionMails, replyMails], until: '2026-11-20 08:10:00', url }),
    ),
  },
  'messages/replying': {
    replyMail: languages.flatMap((langue) =>
      [{ replyTo: 'aide@example.org' }, {}].map((answers) => replyMail({ ...reply, langue }, answers)),
    ),
  },
  'payments/failures': { failureNotice: [1, 3].flatMap((failed) => both(failureNotice(failed))) },
  'publications/acceptance': {
    acceptanceMail: languages.flatMap((langue) => {
      const accepted = { ...subject, id, slug: 'fete-du-port', publie_le: at.toISOString(), is_shown: true }
      const ofThree = [
        accepted,
        { ...accepted, is_shown: false },
        { ...accepted, is_shown: false, publie_le: null },
      ]
      const all = {
        from,
        pageOf: () => `${url}/publications/fete-du-port`,
        account: `${url}/backoffice/account`,
      }
      return [
        acceptanceMail({ ...publication, langue, publications: [accepted] }, to, all),
        acceptanceMail({ ...publication, nom: null, langue, publications: ofThree.slice(1, 2) }, to, {
          from,
          pageOf: () => null,
          account: null,
        }),
        acceptanceMail({ ...publication, langue, publications: ofThree, total: 21 }, to, all),
      ]
    }),
  },
  'publications/notify': {
    authorMail: languages.flatMap((langue) =>
      (['rejected', 'corrected'] as const)
        .flatMap((kind) => [
          authorMail(
            {
              ...publication,
              kind,
              langue,
              subjects: [{ ...subject, reason: 'Hors sujet.' }],
              decided: null,
            },
            to,
            { from, pageOf: () => page, objectionTo },
          ),
          authorMail(
            {
              ...publication,
              kind,
              langue,
              nom: null,
              subjects: [{ ...subject, edit: null }],
              decided: null,
            },
            to,
            { from, pageOf: () => null, objectionTo: () => null },
          ),
        ])
        .concat(
          [
            { kind: 'rejected' as const, subjects: [stated], decided },
            {
              kind: 'hidden' as const,
              subjects: [{ ...stated, by_report: false, edit: 'stays' as const }],
              decided: { ...decided, ground: law },
            },
            { kind: 'deleted' as const, subjects: [{ ...stated, reason: null, by_machine: true }], decided },
            { kind: 'unfeatured' as const, subjects: [stated], decided },
            {
              kind: 'rejected' as const,
              subjects: [stated, { ...stated, title: 'Bal', by_report: false }],
              total: 2,
              decided,
            },
            {
              kind: 'hidden' as const,
              subjects: [
                { ...stated, by_report: false },
                { ...stated, by_report: false, by_machine: true, title: 'Bal', reason: 'Sans date.' },
              ],
              total: 23,
              decided,
            },
            { kind: 'deleted' as const, subjects: [stated, { ...stated, title: 'Bal' }], total: 2, decided },
            { kind: 'hidden_in_commune' as const, subjects: [subject], decided: null, commune: 'Bourg' },
            {
              kind: 'unfeatured' as const,
              subjects: [stated, { ...stated, title: 'Bal' }],
              total: 2,
              decided,
            },
          ].map((one) =>
            authorMail({ ...publication, ...one, langue }, to, { from, pageOf: () => page, objectionTo }),
          ),
        ),
    ),
  },
  'sign-in/account': {
    formerAddressMail: languages.flatMap((langue) =>
      [`${url}/backoffice/undo-address#token=AZnJo1uOfMGd`, null].map((link) =>
        formerAddressMail({ id, address: to, langue, link }, from),
      ),
    ),
  },
  'sign-in/email': {
    signInMail: languages.map((langue) =>
      signInMail(
        { to, from, id, langue },
        { code: '123456', link: `${url}/backoffice/sign-in#token=AZnJo1uOfMGd` },
      ),
    ),
    codeMail: languages.flatMap((langue) =>
      (['confirmation', 'address'] as const).map((purpose) =>
        codeMail({ to, from, id, langue }, purpose, '123456'),
      ),
    ),
  },
  'sign-in/invitations': {
    invitationMail: languages.map((langue) =>
      invitationMail({ id, email: to, langue }, { from, answers: {} }, `${url}/backoffice/sign-in`),
    ),
  },
  'publications/reports': {
    reporterMail: [
      { ...unconfirmed, kind: 'receipt' as const },
      { ...unconfirmed, kind: 'receipt' as const, name: 'Zoé', link: null },
      {
        ...{ ...unconfirmed, kind: 'outcome' as const, outcome: 'kept' as const, ended_by: 'team' as const },
        objection: `${url}/reclamation/cAZnJo1uOfMGd`,
      },
      ...outcomes.map((outcome, index) => ({
        ...unconfirmed,
        kind: 'outcome' as const,
        outcome,
        ended_by: endedBy[index % 3] ?? null,
        ground: outcome === 'rejected' ? rule : null,
        followed_by: outcome === 'hidden' ? ('restored' as const) : null,
      })),
      { ...unconfirmed, kind: 'followed' as const, followed_by: 'restored' as const },
      { ...unconfirmed, kind: 'followed' as const, followed_by: 'reopened' as const, contact: null },
    ].flatMap((about) => languages.map((langue) => reporterMail({ ...about, langue }, { to, from }))),
  },
  'sign-in/sessions': {
    deviceMail: languages.map((langue) => {
      const device = { browser: 'Firefox, Windows', network: '192.0.2.0/24', created_at: at }
      return deviceMail({ id, email: to, langue, ...device }, from, `${url}/backoffice/account`)
    }),
  },
  'subscribers/broadcasts': {
    actualitesMail: [followed, followedGroup].map((place) =>
      actualitesMail(
        {
          place,
          ...{ day: '2026-11-20', publications: [{ titre: 'Marché de Noël', slug: 'marche-de-noel' }] },
        },
        {
          to,
          from,
          id,
          site: url,
          link: `${url}/abonnement/AZnJo1uOfMGd`,
          since: new Date('2026-11-06'),
          places: [place],
        },
      ),
    ),
    collectesMail: [null, 'Nord'].map((lostSecteur) =>
      collectesMail(
        {
          commune: bouguenais,
          ...{ day: '2026-12-25', names: ['Bac jaune (Sud)', 'Verre'], lostSecteur },
          isToday: lostSecteur !== null,
          collectes: [
            { libelle: 'Bac jaune', secteur: 'Sud', consignes: 'Sortir le bac avant 6 h.', jour_ferie: true },
            { libelle: 'Verre', secteur: null, consignes: null, jour_ferie: false },
          ],
        },
        resident,
      ),
    ),
    alerteMail: (['alerte', 'alerte_correction', 'alerte_fin'] as const).map((kind) =>
      alerteMail(
        {
          ...{
            kind,
            alerteId: id,
            broadcastId: id,
            titre: 'Coupure d’eau rue du Puits',
            message: 'L’eau est coupée jusqu’à midi.',
          },
          ...{ niveau: 'urgence', debut: at, fin: null, commune_id: id, acteur_id: null, nom: 'Bouguenais' },
        },
        resident,
      ),
    ),
  },
  subscribers: {
    confirmMail: [['Bouguenais'], ['Bouguenais', 'Rezé', 'Nantes']].map((places) =>
      confirmMail({ id, places, link: `${url}/abonnement/AZnJo1uOfMGd` }, to, from),
    ),
  },
  system: { testMail: languages.map((langue) => testMail({ id, to, from, langue, url })) },
  'users/added': {
    addedMail: languages.flatMap((langue) => {
      const acteurs = [
        { id, nom: 'Boule' },
        { id, nom: 'Mairie de Chambéry' },
      ]
      return [
        addedMail({ nom: 'Zoé Martin', address: to, langue, acteurs: acteurs.slice(1) }, to, {
          key: id,
          from,
          space,
        }),
        addedMail({ nom: null, address: to, langue, acteurs }, to, { key: id, from, space: null }),
      ]
    }),
  },
  'webhooks/sending/notice': {
    webhookNotice: (['failing', 'gone', 'disabled'] as const).flatMap((kind) =>
      both(webhookNotice(kind, { id, host: 'ville.example', since: at }, kind === 'gone' ? null : space)),
    ),
  },
}

test('every mail has its text in a mail.ts, and a sample here', async () => {
  const found: Record<string, string[]> = {}
  for await (const file of glob('src/modules/**/{mail,*.mail}.ts')) {
    const exported = Object.keys(await import(`../../${file}`))
    found[file.slice('src/modules/'.length).replace(/[/.]mail\.ts$/, '')] = exported
      .filter((name) => isMail.test(name))
      .sort()
  }
  expect(
    Object.fromEntries(Object.entries(samples).map(([file, mails]) => [file, Object.keys(mails).sort()])),
  ).toEqual(found)
  const elsewhere: string[] = []
  for await (const file of glob('src/modules/**/*.ts')) {
    if (/\.test|[/.]mail\.ts$/.test(file)) continue
    if (textOfMail.test(await readFile(file, 'utf8'))) elsewhere.push(file)
  }
  expect(elsewhere).toEqual([])
})

const isMail = /(Mail|Text|Notice)$/
const textOfMail = /subject: ['`]|\bmailOf\b/

test('prints every mail in both languages', () => {
  const printed = Object.entries(samples).flatMap(([file, mails]) =>
    Object.values(mails)
      .flat()
      .map(({ subject, text, html = '' }) => `${file}${languageOf(html)}: ${subject}\n\n${text}`),
  )
  expect(printed.join(`\n${'-'.repeat(80)}\n`)).toMatchSnapshot()
})

const languageOf = (html: string) => /<html lang="(..)">/.exec(html)?.[1]?.replace(/^/, ', HTML in ') ?? ''
