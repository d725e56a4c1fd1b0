import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Time } from '../../ui/time.tsx'
import styles from './acteurs.module.css'
import { contactNames, useFieldLabels } from './contact-fields.tsx'
import { type ListedActeur, yearQuery } from './queries.ts'

/** Two acteurs beside each other: they may have the same name. */
export function Compare({ leaves, stays }: { leaves: ListedActeur; stays: ListedActeur }) {
  const words = useTranslations('acteurs')
  const labelOf = useFieldLabels()
  const both = [leaves, stays]
  const years = [useQuery(yearQuery(leaves.id)).data, useQuery(yearQuery(stays.id)).data]
  const rows = [
    [words('nom'), both.map(({ nom }) => nom)],
    [words('commune'), both.map(({ commune }) => commune?.nom)],
    ...contactNames
      .filter((name) => name !== 'description')
      .map((name) => [labelOf(name), both.map((acteur) => acteur[name])] as const),
    [words('created'), both.map(({ id, created_at }) => <Time key={id} at={created_at} />)],
    [
      words('merge.publications'),
      years.map((year) => year && words('merge.count', { count: year.publications.created })),
    ],
    [words('members.title'), years.map((year) => year && words('merge.count', { count: year.members }))],
  ] as const
  return (
    <table className={styles.compare}>
      <thead>
        <tr>
          <td />
          <th scope="col">{words('merge.leaves')}</th>
          <th scope="col">{words('merge.staysHead')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, [left, right]]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{left ?? words('notGiven')}</td>
            <td>{right ?? words('notGiven')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
