import { expect, test } from 'vitest'
import { proposalOf } from './proposal.ts'

const of = (text: string) => proposalOf(text, '2026-11-27')

test('reads a deliberation as most mairies print it', () => {
  const text = `DÉPARTEMENT DE L'AUDE\r
MAIRIE D'ÉVRY-LE-NEUF\r
EXTRAIT DU REGISTRE DES DÉLIBÉRATIONS DU CONSEIL MUNICIPAL\r
DÉLIBÉRATION N° 2026-031\r
Séance du 12 mars 2026\r
Date de convocation : 6 mars 2026\r
Nombre de conseillers en exercice : 15, présents : 12\r
OBJET : Subvention à l’école de musique\r
et convention d’objectifs pour 2026\r
Le douze mars deux mille vingt-six, le conseil municipal s’est réuni\r
Vu la délibération n° 2025-104 du 3 décembre 2025,\r
Fait à Évry-le-Neuf, le 13 mars 2026`
  expect(of(text)).toEqual({
    kind: 'deliberation',
    number: '2026-031',
    title: 'Subvention à l’école de musique et convention d’objectifs pour 2026',
    date: '2026-03-12',
  })
})

test('reads an order by its purpose, and its date beside the signature', () => {
  const text = `République française
Commune de Sainte-Épine
ARRÊTÉ MUNICIPAL N° 2026/A-47
portant réglementation temporaire de la circulation
rue du Puits
Le maire de Sainte-Épine,
Vu le code général des collectivités territoriales, articles L2213-1 et suivants,
Vu la loi n° 82-213 du 2 mars 1982,
Considérant la demande reçue le 2 octobre 2026,
ARRÊTE
Article 1er : la circulation est interdite du 12 au 14 octobre 2026.
Fait à Sainte-Épine, le 1er octobre 2026
Le maire, Camille ROUX`
  expect(of(text)).toEqual({
    kind: 'arrete',
    number: '2026/A-47',
    title: 'Arrêté portant réglementation temporaire de la circulation rue du Puits',
    date: '2026-10-01',
  })
})

test.each([
  ['DELIBERATION N° DCM 2026-04-12', 'DCM 2026-04-12'],
  ['Délibération n°31 / 2026', '31/2026'],
  ['DÉLIBÉRATION N° 2026 - 031 du 3 mars 2026', '2026-031'],
  ['Numéro de l’acte : DEL2026_031', 'DEL2026_031'],
  ['N° D’ORDRE : 12', '12'],
  ['Délibération n° 7. Tarifs', '7'],
  ['SIRET N° 21110001200019', null],
  ['Commune de 3 500 habitants', null],
])('the number in %j is %j', (line, number) => {
  expect(of(`Mairie\nDélibération\n${line}`).number).toBe(number)
})

test.each([
  ['SÉANCE DU JEUDI 12 MARS 2026', '2026-03-12'],
  ['Séance ordinaire du conseil municipal du 12/03/2026', '2026-03-12'],
  ['Réunion du\n1er avril 2026', '2026-04-01'],
  ['L’an deux mille vingt-six, le douze mars à 20 heures', '2026-03-12'],
  ["L'an deux mille vingt six et le vingt et un du mois de mai", '2026-05-21'],
  ["L'an 2026, le mardi 7 avril", '2026-04-07'],
  ["L'an deux mille vingt-six, le trente-et-un août", '2026-08-31'],
  ['Date de convocation : 12 mars 2026', null],
  ['Séance du 31 février 2026', null],
  // After today.
  ['Séance du 12 mars 2062', null],
])('the date in %j is %j', (lines, date) => {
  expect(of(`DÉLIBÉRATION\n${lines}`).date).toBe(date)
})

test.each([
  [
    'OBJET : TARIFS DE LA CANTINE\nET DE LA GARDERIE\nPRÉSENTS : M. Roux',
    'TARIFS DE LA CANTINE ET DE LA GARDERIE',
  ],
  ['Objet :\nBudget primitif 2026', 'Budget primitif 2026'],
  ['Objet de la délibération - Vente du lot 4.\nle maire expose', 'Vente du lot 4'],
  ['Objet', null],
  [`OBJET : ${'x'.repeat(600)}`, 'x'.repeat(500)],
])('the title in %j is %j', (lines, title) => {
  expect(of(`DÉLIBÉRATION\n${lines}`).title).toBe(title)
})

test('minutes and lists of deliberations are named after their session', () => {
  const minutes = of('PROCÈS-VERBAL DU CONSEIL MUNICIPAL\nSéance du 12 mars 2026\nDélibération n° 2026-031')
  expect(minutes).toMatchObject({
    ...{ kind: 'proces_verbal', title: 'Procès-verbal de la séance du 12 mars 2026', date: '2026-03-12' },
  })
  const list = of('Liste des délibérations examinées en séance du 12 mars 2026')
  expect(list).toMatchObject({
    ...{ kind: 'liste_des_deliberations', title: 'Liste des délibérations de la séance du 12 mars 2026' },
  })
  expect(of('Décision n° 12 relative au bail du local communal').title).toBe(
    'Décision relative au bail du local communal',
  )
})

test('numbers and dates of its reasons are those of other acts', () => {
  const reasons = 'Vu la délibération n° 2025-104, séance du 3 décembre 2025'
  expect(of(`DÉLIBÉRATION\n${reasons}`)).toMatchObject({ number: null, date: null })
})

test('proposes nothing from a scan or from another text', () => {
  const nothing = { kind: null, number: null, title: null, date: null }
  expect(of('')).toEqual(nothing)
  expect(of('Facture\nTotal : 12 €')).toEqual(nothing)
})

test('reads hostile texts without backtracking for long', () => {
  const texts = ["l'an ", 'n° 1-', 'objet ', 'deux-', 'séance du ', 'A'].map((part) => part.repeat(200_000))
  const begun = performance.now()
  for (const text of [...texts, '\n'.repeat(500_000), 'Séance du\n'.repeat(50_000)]) of(text)
  expect(performance.now() - begun).toBeLessThan(5_000)
})
