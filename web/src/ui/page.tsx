import { type ReactNode, useEffect, useRef } from 'react'
import styles from './page.module.css'

type PageProps = { title: string; back?: ReactNode; actions?: ReactNode; children: ReactNode }

/** Screen with its title and actions; `back` leads to the list that a record belongs to. */
export function Page({ title, back, actions, children }: PageProps) {
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        {back && <div className={styles.back}>{back}</div>}
        <ScreenTitle title={title} className={styles.title} />
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}

let isFirstScreen = true

/**
 * Title of a screen and of the browser tab. Takes the focus after navigation, so that screen readers announce
 * it and the Tab key starts there. On the first screen the browser keeps the focus. Without a class it is not visible.
 */
export function ScreenTitle({
  title,
  className = styles.heard,
}: {
  title: string
  className?: string | undefined
}) {
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

/** List of names and values. */
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
