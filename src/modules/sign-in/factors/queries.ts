import { sql } from 'kysely'
import { ownIssuer } from '../../../platform/access/tokens.ts'
import type { Database } from '../../../platform/database/connect.ts'

/** Locks a user, so that changes to its factors do not run concurrently. */
export async function lockUser(
  tx: Database,
  id: string,
): Promise<{ email: string | null; nom: string | null } | null> {
  const { rows } = await sql<{ email: string | null; nom: string | null }>`
    select email, nom from users where id = ${id} and actif for update`.execute(tx)
  return rows[0] ?? null
}

export async function lockAnyUser(tx: Database, id: string): Promise<boolean> {
  const { rows } = await sql`select from users where id = ${id} for update`.execute(tx)
  return rows.length > 0
}

export type Totp = { secret: Buffer | null; pending_secret: Buffer | null; last_step: number }

export async function findTotp(db: Database, userId: string): Promise<Totp | null> {
  const { rows } = await sql<Totp>`
    select secret, pending_secret, last_step from totp_factors where user_id = ${userId}`.execute(db)
  return rows[0] ?? null
}

export async function putPendingTotp(tx: Database, userId: string, pending: Buffer): Promise<void> {
  await sql`
    insert into totp_factors (user_id, pending_secret) values (${userId}, ${pending})
    on conflict (user_id) do update set pending_secret = excluded.pending_secret`.execute(tx)
}

export async function confirmTotp(tx: Database, userId: string, step: number): Promise<void> {
  await sql`
    update totp_factors
    set secret = pending_secret, pending_secret = null, confirmed_at = now(), last_step = ${step}
    where user_id = ${userId} and pending_secret is not null`.execute(tx)
}

/** Accepts a TOTP step at most once: of several concurrent calls, on any instance, one returns true. */
export async function acceptStep(db: Database, userId: string, step: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update totp_factors set last_step = ${step}
    where user_id = ${userId} and confirmed_at is not null and last_step < ${step}`.execute(db)
  return numAffectedRows === 1n
}

export async function deleteTotp(tx: Database, userId: string): Promise<boolean> {
  const { rows } = await sql<{ was_confirmed: boolean }>`
    delete from totp_factors where user_id = ${userId} returning confirmed_at is not null as was_confirmed`.execute(
    tx,
  )
  return rows[0]?.was_confirmed ?? false
}

export async function replaceRecoveryCodes(
  tx: Database,
  userId: string,
  codes: { id: string; hash: Buffer }[],
): Promise<void> {
  await sql`delete from recovery_codes where user_id = ${userId}`.execute(tx)
  for (const { id, hash } of codes)
    await sql`insert into recovery_codes (id, user_id, code_hash) values (${id}, ${userId}, ${hash})`.execute(
      tx,
    )
}

/** Uses up a recovery code; false if it is unknown or already used. */
export async function spendRecoveryCode(db: Database, userId: string, codeHash: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update recovery_codes set used_at = now()
    where user_id = ${userId} and code_hash = ${codeHash} and used_at is null`.execute(db)
  return numAffectedRows === 1n
}

export type Factors = {
  totp: boolean
  passkeys: { id: string; label: string; created_at: Date; last_used_at: Date | null }[]
  recovery_codes: number
  mailed_code: boolean
}

export async function findFactors(db: Database, userId: string): Promise<Factors> {
  const { rows } = await sql<Factors>`
    select
      exists (select from totp_factors where user_id = u.id and confirmed_at is not null) as totp,
      (select count(*) from recovery_codes where user_id = u.id and used_at is null) as recovery_codes,
      (u.issuer is not distinct from ${sql.lit(ownIssuer)} and u.email is not null) as mailed_code
    from users u where id = ${userId}`.execute(db)
  const passkeys = await sql<Factors['passkeys'][number]>`
    select id, label, created_at, last_used_at from passkeys where user_id = ${userId} order by id limit 50`.execute(
    db,
  )
  const [row] = rows
  const { totp = false, recovery_codes = 0, mailed_code = false } = row ?? {}
  return { totp, recovery_codes, mailed_code, passkeys: passkeys.rows }
}

/** Deletes the factors of a user: all, or those added since a time. Returns how many of each kind. */
export async function deleteFactors(
  tx: Database,
  userId: string,
  since: Date | null = null,
): Promise<Record<string, number>> {
  const isNew = (time: string) =>
    sql<boolean>`(${since}::timestamptz is null or ${sql.ref(time)} >= ${since})`
  const totp = await sql<{ was_confirmed: boolean }>`
    delete from totp_factors where user_id = ${userId} and ${isNew('confirmed_at')} is not false
    returning confirmed_at is not null as was_confirmed`.execute(tx)
  await sql`
    update totp_factors set pending_secret = null where user_id = ${userId} and pending_secret is not null`.execute(
    tx,
  )
  const passkeys =
    await sql`delete from passkeys where user_id = ${userId} and ${isNew('created_at')}`.execute(tx)
  const codes = await sql`
    delete from recovery_codes where user_id = ${userId} and ${isNew('created_at')}`.execute(tx)
  return {
    totp: totp.rows.filter(({ was_confirmed }) => was_confirmed).length,
    passkeys: Number(passkeys.numAffectedRows),
    recovery_codes: Number(codes.numAffectedRows),
  }
}

/** Marks the second factor of a session as shown, and the session as confirmed. */
export async function noteFactorShown(tx: Database, sessionId: string): Promise<void> {
  await sql`
    update sessions set factor_at = now(), confirmed_until = now() + interval '10 minutes', failures = 0
    where id = ${sessionId}`.execute(tx)
}

/** Counts an attempt as failed. Returns how many in a row have failed, or are being compared. */
export async function countFailure(db: Database, sessionId: string): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    update sessions set failures = failures + 1 where id = ${sessionId} returning failures`.execute(db)
  return rows[0]?.failures ?? 0
}
