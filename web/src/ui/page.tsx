import { type ReactNode, useEffect, useRef } from 'react'
import styles from './page.module.css'

type PageProps = { title: string; actions?: ReactNode; children: ReactNode }

/** A screen with its title. */
export function Page({ title, actions, children }: PageProps) {
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <ScreenTitle title={title} className={styles.title} />
        {actions}
      </header>
      {children}
    </div>
  )
}

let isFirstScreen = true

/**
 * The title of a screen, and of the browser's tab. After a change of screen it has the focus: keys begin there, and
 * screen readers read it out. The first screen leaves the focus to the browser.
 */
export function ScreenTitle({ title, className }: { title: string; className: string | undefined }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Parvis`
  }, [title])
  useEffect(() => {
    if (!isFirstScreen) heading.current?.focus()
    isFirstScreen = false
  }, [])
  return (
    <h1 ref={heading} className={className} tabIndex={-1}>
      {title}
    </h1>
  )
}

type SectionProps = { title: string; note?: ReactNode; children: ReactNode }

export function Section({ title, note, children }: SectionProps) {
  return (
    <section className={styles.section}>
      <header>
        <h2 className={styles.heading}>{title}</h2>
        {note && <p className={styles.note}>{note}</p>}
      </header>
      {children}
    </section>
  )
}

/** A few facts, each with its name. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
