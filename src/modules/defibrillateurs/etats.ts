/** States of a device. Apart from the schemas, so that the thread that reads the registry need not load their library. */
export const etats = [
  'En fonctionnement',
  'Hors service',
  'Supprimé définitivement',
  'Absent momentanément',
  'Inconnu',
] as const
