/** Why a link is kept back that leads out of the workspace; to be followed by its path. */
export const LINK_OUT = 'a link out of the workspace:';

/** Why a file is not given that no rule or setting keeps back; to be followed by its path. */
export const OUTSIDE = 'outside the workspace:';
