/** What the product that brings the database calls things. */
export type Names = {
  /** As sentences call it. */
  product: string
  roles: { superuser: string; owner: string; service: string }
  database: string
  /** The user of the system that runs PostgreSQL where the product is started by root. */
  systemUser: string
  /** Root's folder for what that user must reach and cannot reach elsewhere. */
  stagingRoot: string
  /** The settings that sentences tell to change. */
  dataDirSetting: string
  databaseUrlSetting: string
}
