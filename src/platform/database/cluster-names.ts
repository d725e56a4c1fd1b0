import type { Names } from '../../embedded-postgres/names.ts'

/** What the embedded PostgreSQL calls things in this service; data folders in use hold these names. */
export const clusterNames: Names = {
  product: 'Parvis',
  roles: { superuser: 'parvis_superuser', owner: 'parvis_owner', service: 'parvis_service' },
  database: 'parvis',
  systemUser: 'parvis',
  stagingRoot: '/var/lib/parvis',
  dataDirSetting: 'DATA_DIR',
  databaseUrlSetting: 'DATABASE_URL',
}
