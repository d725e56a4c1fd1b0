/** Builds "Mairie de Lyon", "du Havre", "des Sables-d'Olonne", "d'Ajaccio". */
export function nameMairie(commune: string): string {
  if (commune.startsWith('Le ')) return `Mairie du ${commune.slice(3)}`
  if (commune.startsWith('Les ')) return `Mairie des ${commune.slice(4)}`
  return /^[AEIOUYÉÈÎŒ]/.test(commune) ? `Mairie d'${commune}` : `Mairie de ${commune}`
}
