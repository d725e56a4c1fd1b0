import styles from './icon.module.css'

/** Drawn on 16 px, in lines of 1.5. */
const paths = {
  menu: 'M2 4h12M2 8h12M2 12h12',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7 14 14',
  close: 'm4 4 8 8M12 4l-8 8',
  check: 'm3 8.5 3.5 3.5L13 4.5',
  down: 'm4 6 4 4 4-4',
  right: 'm6 4 4 4-4 4',
  back: 'm10 3-5 5 5 5',
  home: 'M2 7.5 8 2.5l6 5M3.5 6.5V13h9V6.5M6.5 13V9.5h3V13',
  inbox: 'M2 9.5 4 3h8l2 6.5V13H2V9.5zM2 9.5h3.5l1 2h3l1-2H14',
  user: 'M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8zM2.5 13.5c.5-2.7 2.7-3.5 5.5-3.5s5 .8 5.5 3.5',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v1.5M8 13.500V15M1 8h1.500M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  moon: 'M13.5 9.500A6 6 0 0 1 6.5 2.500a6 6 0 1 0 7 7z',
  screen: 'M2 3h12v8H2zM6 14h4M8 11v3',
  leave: 'M9.5 2.500h-6v11h6M7 8h7M11.5 5.5 14 8l-2.5 2.5',
  keyboard: 'M1.5 4h13v8h-13zM4 6.500h.5M7 6.500h.5M10 6.500h.5M4.5 9.500h7',
  warning: 'M8 2 1.5 13.500h13zM8 6.500v3M8 11.500v.1',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.500V11M8 5v.1',
  error: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.800V8.500M8 11v.1',
  external: 'M9 2.500h4.500V7M13.5 2.5 7.5 8.500M12 9.500v4H2.500V4h4',
  list: 'M5.5 4H14M5.5 8H14M5.5 12H14M2 4h.1M2 8h.1M2 12h.1',
  copies: 'M5.5 5.500h8v8h-8zM10.5 5.500v-3h-8v8h3',
  claim:
    'M10.5 9.500a4 4 0 1 0-3.800-2.700L2 11.500V14h2.500v-2H6l2.200-2.200a4 4 0 0 0 2.300-.3zM11.500 4.600h.1',
  bell: 'M3.500 11.500h9L11.500 10V7a3.500 3.500 0 0 0-7 0v3zM6.500 13.500h3',
  flag: 'M3.5 14V2.500h8.500L10 5.5 12 8.500H3.5',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.500V8l2.5 1.5',
  star: 'm8 2 1.8 3.9 4.2.5-3.1 2.9.8 4.200L8 11.400l-3.7 2.1.8-4.200L2 6.400l4.2-.5z',
  more: 'M2.5 8h1M7.5 8h1M12.5 8h1',
  mail: 'M2 3.500h12v9H2zM2 4.500l6 4.5 6-4.5',
  phone: 'M5 1.500h6v13H5zM7.5 12.500h1',
  key: 'M5 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 8h6.500M12 8v2.500M14.500 8v2',
  copy: 'M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3',
  download: 'M8 2v8M4.500 7 8 10.500 11.500 7M2.500 13.500h11',
  shield: 'M8 1.500 13.500 3.500V8c0 3-2.300 5.300-5.500 6.500C4.800 13.300 2.500 11 2.500 8V3.500z',
  users:
    'M6 8a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM1.500 13.500c.4-2.500 2.200-3.300 4.500-3.300s4.100.8 4.500 3.300M10.500 3.200a2.400 2.400 0 0 1 0 4.600M12 10.400c1.500.4 2.400 1.400 2.600 3.100',
  refresh: 'M13 3v3.500H9.500M12.7 6.200A5 5 0 1 0 13 8.5',
  offline:
    'm2 2 12 12M4.5 9.500a5 5 0 0 1 2-1.200M9.5 8.300a5 5 0 0 1 2 1.200M2 6.500a9 9 0 0 1 2.5-1.700M7 4a9 9 0 0 1 7 2.500M8 12.500v.1',
} as const

export type IconName = keyof typeof paths

/** A picture beside words that say the same: readers of screens do not hear of it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={styles.icon} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
