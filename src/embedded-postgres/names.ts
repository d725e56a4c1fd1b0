/** Names chosen by the product that embeds the database. */
export type Names = {
  /** The product's name in sentences. */
  product: string
  roles: { superuser: string; owner: string; service: string }
  database: string
  /** The system user that runs PostgreSQL when the product is started by root. */
  systemUser: string
  /** Root's folder for files that user must reach and cannot reach elsewhere. */
  stagingRoot: string
  /** Settings that sentences refer to. */
  dataDirSetting: string
  databaseUrlSetting: string
}
