import type { Names } from '../../embedded-postgres/names.ts'

/** Names used by the embedded PostgreSQL. Existing data folders contain them. */
export const clusterNames: Names = {
  product: 'Parvis',
  roles: { superuser: 'parvis_superuser', owner: 'parvis_owner', service: 'parvis_service' },
  database: 'parvis',
  systemUser: 'parvis',
  stagingRoot: '/var/lib/parvis',
  dataDirSetting: 'DATA_DIR',
  databaseUrlSetting: 'DATABASE_URL',
}
