/** Names chosen by the product that embeds the database. */
export type Names = {
  /** The product's name in messages. */
  product: string
  roles: { superuser: string; owner: string; service: string }
  database: string
  /** The system user that runs PostgreSQL when the product is started by root. */
  systemUser: string
  /** Root's folder for files that the system user needs and cannot reach elsewhere. */
  stagingRoot: string
  /** Setting names for error messages. */
  dataDirSetting: string
  databaseUrlSetting: string
}
