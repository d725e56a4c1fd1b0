import pg from 'pg'

/** Exits with 0 when the PostgreSQL named by DATABASE_URL responds. */
const client = new pg.Client({ connectionString: process.env.DATABASE_URL, connectionTimeoutMillis: 3_000 })
await client.connect().then(
  () => client.end(),
  () => process.exit(1),
)
