/** A request that cannot be carried out as it is; the message says why. */
export class BadRequest extends Error {}

/** Something in a file of notices is wrong. */
export class NoticeError extends Error {}
