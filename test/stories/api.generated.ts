export interface paths {
    "/api/v1/communes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Communes, by name; searched for, the nearest first
         * @description Anybody.
         */
        get: operations["listCommunes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/communes/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One commune, by its slug or id
         * @description Anybody.
         */
        get: operations["getCommune"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/communes/{id}/elus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Elected officials of a commune, in order
         * @description Anybody.
         */
        get: operations["listElus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/communes/{id}/collectes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Waste collections of a commune, with their next dates
         * @description Anybody.
         */
        get: operations["listCollectes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/communes/{id}/infos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Practical information of a commune, its mairie's first
         * @description Anybody.
         */
        get: operations["getInfos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/communes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Communes, by name; searched for, the nearest first; or as asked
         * @description Roles: admin, platform_admin.
         */
        get: operations["listManagedCommunes"];
        put?: never;
        /**
         * Create a commune
         * @description Roles: admin, platform_admin.
         */
        post: operations["createCommune"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/communes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a commune; sub-lists that are given are replaced whole
         * @description Roles: admin, platform_admin.
         */
        patch: operations["updateCommune"];
        trace?: never;
    };
    "/api/v1/admin/communes/{id}/full": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All there is of a commune
         * @description Roles: admin, platform_admin.
         */
        get: operations["getCommuneFull"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/publications/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Publication types, in order
         * @description Anybody.
         */
        get: operations["listPublicationTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/publications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Publications: featured ones first, then the newest
         * @description Anybody.
         */
        get: operations["listPublications"];
        put?: never;
        /**
         * Publish in the name of an acteur, at once or when it is due; pending unless the acteur may publish
         * @description Owner of the acteur, or `manage_publications`.
         */
        post: operations["createPublication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/publications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One publication
         * @description Anybody.
         */
        get: operations["getPublication"];
        put?: never;
        post?: never;
        /**
         * Delete; an administrator can restore it
         * @description Owner of the acteur, or `manage_publications`.
         */
        delete: operations["deletePublication"];
        options?: never;
        head?: never;
        /**
         * Change content or pin; new content of an acteur that may not publish is pending again
         * @description Owner of the acteur, or `manage_publications` for content and `publish_publications` to pin.
         */
        patch: operations["editPublication"];
        trace?: never;
    };
    "/api/v1/acteurs/{acteurId}/publications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Publications of an acteur: pinned ones first, then the newest
         * @description Anybody.
         */
        get: operations["listPublicationsOfActeur"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/communes/{communeId}/publications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Publications of a commune: featured ones first, then the newest
         * @description Anybody.
         */
        get: operations["listPublicationsOfCommune"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/publications/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a publication to those who moderate; once a day and caller
         * @description Anybody.
         */
        post: operations["reportPublication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/publications/{id}/moderate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Decide on a publication, as a moderator or for a mairie
         * @description Moderator, from the back-office; or, for a mairie that has written or supervises it, its owner or `publish_publications`.
         */
        patch: operations["moderatePublication"];
        trace?: never;
    };
    "/api/v1/me/publications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the caller's acteurs have published, in every state
         * @description Anybody signed in.
         */
        get: operations["listMyPublications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/publications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One publication of the caller's acteurs, in whatever state
         * @description Anybody signed in.
         */
        get: operations["getMyPublication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mairie/acteurs/{acteurId}/publications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a mairie has written, in every state, and what it may supervise
         * @description Members of the mairie, and administrators.
         */
        get: operations["listMairiePublications"];
        put?: never;
        /**
         * Publish in the name of a mairie, at once or when it is due; pending unless it may publish
         * @description Owner of the mairie, or `manage_publications`.
         */
        post: operations["createMairiePublication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mairie/acteurs/{acteurId}/publications/{publicationId}/moderate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Decide on what a mairie has written or may supervise
         * @description Owner of the mairie, or `publish_publications`.
         */
        patch: operations["moderateMairiePublication"];
        trace?: never;
    };
    "/api/v1/admin/publications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Publications in every state; filters combine
         * @description Roles: admin, platform_admin, moderator.
         */
        get: operations["listManagedPublications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/publications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One publication, in whatever state, with its newest reports
         * @description Roles: admin, platform_admin, moderator.
         */
        get: operations["getManagedPublication"];
        put?: never;
        post?: never;
        /**
         * Delete a publication; it can be restored
         * @description Roles: admin, platform_admin, moderator.
         */
        delete: operations["deleteManagedPublication"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/publications/bulk/moderate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * One decision on up to a hundred publications, all or nothing
         * @description Roles: admin, platform_admin, moderator.
         */
        patch: operations["moderatePublications"];
        trace?: never;
    };
    "/api/v1/admin/publications/{id}/moderate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Decide on a publication
         * @description Roles: admin, platform_admin, moderator.
         */
        patch: operations["moderateManagedPublication"];
        trace?: never;
    };
    "/api/v1/admin/publications/{id}/valide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Validate, which publishes, or invalidate; without a body it toggles
         * @description Roles: admin, platform_admin, moderator.
         */
        patch: operations["validatePublication"];
        trace?: never;
    };
    "/api/v1/admin/publications/{id}/feature": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Feature a publication, for good or up to a time; or stop featuring it
         * @description Roles: admin, platform_admin, moderator.
         */
        patch: operations["featurePublication"];
        trace?: never;
    };
    "/api/v1/admin/publications/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Restore a deleted publication as it was
         * @description Roles: admin, platform_admin, moderator.
         */
        patch: operations["restorePublication"];
        trace?: never;
    };
    "/api/v1/admin/publications/{id}/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What readers have reported of a publication, open or closed, newest first
         * @description Roles: admin, platform_admin, moderator.
         */
        get: operations["listPublicationReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/communes/{communeId}/alertes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Alerts in force now, of a commune and of its mairie, newest first
         * @description Provisional: this may still change without notice.
         *
         *     Anybody.
         */
        get: operations["listAlertesInForce"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mairie/communes/{communeId}/alertes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Alerts of a commune, newest first
         * @description Provisional: this may still change without notice.
         *
         *     Members of the mairie, and administrators.
         */
        get: operations["listCommuneAlertes"];
        put?: never;
        /**
         * Alert the people of a commune
         * @description Provisional: this may still change without notice.
         *
         *     Members of the mairie, and administrators.
         */
        post: operations["createCommuneAlerte"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mairie/acteurs/{acteurId}/alertes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Alerts of a mairie, newest first
         * @description Provisional: this may still change without notice.
         *
         *     Members of the mairie, and administrators.
         */
        get: operations["listActeurAlertes"];
        put?: never;
        /**
         * Alert in the name of a mairie
         * @description Provisional: this may still change without notice.
         *
         *     Members of the mairie, and administrators.
         */
        post: operations["createActeurAlerte"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/communes/{id}/defibrillateurs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Active defibrillators of a commune, and when they were brought up to date
         * @description Anybody.
         */
        get: operations["listCommuneDefibrillateurs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/defibrillateurs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Active defibrillators of France, by name; around a place, the nearest first
         * @description Anybody.
         */
        get: operations["listDefibrillateurs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/communes/{id}/defibrillateurs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Defibrillators of a commune, by name or as asked
         * @description Roles: admin, platform_admin.
         */
        get: operations["listManagedCommuneDefibrillateurs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/defibrillateurs-france": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Defibrillators of France, by name or as asked
         * @description Roles: admin, platform_admin.
         */
        get: operations["listManagedDefibrillateurs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/defibrillateurs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set what the commune says of a defibrillator
         * @description Roles: admin, platform_admin.
         */
        patch: operations["updateCommuneDefibrillateur"];
        trace?: never;
    };
    "/api/v1/admin/defibrillateurs-france/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set what is said of a defibrillator for all of France
         * @description Roles: admin, platform_admin.
         */
        patch: operations["updateFranceDefibrillateur"];
        trace?: never;
    };
    "/api/v1/admin/communes/{id}/defibrillateurs/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring the defibrillators of a commune up to date with the registry
         * @description Roles: admin, platform_admin.
         */
        post: operations["syncCommuneDefibrillateurs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/defibrillateurs-france/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring all defibrillators up to date with the registry
         * @description Roles: admin, platform_admin.
         */
        post: operations["syncDefibrillateurs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/defibrillateurs-france/syncs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What came of the syncs of France, or of a commune; the latest first
         * @description Roles: admin, platform_admin.
         */
        get: operations["listDefibrillateurSyncs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask to take over an acteur; a token, when there is one, says who asks
         * @description Anybody; with a token where CLAIMS_REQUIRE_BEARER is true.
         */
        post: operations["createClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What one has claimed, newest first, and what became of it
         * @description Anybody signed in.
         */
        get: operations["listOwnClaims"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Claims, newest first, or as asked
         * @description Roles: admin, platform_admin, moderator.
         */
        get: operations["listClaims"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/claims/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a claim, with the users of its address
         * @description Roles: admin, platform_admin, moderator.
         */
        get: operations["getClaim"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Decide a claim; approving makes the claimant an owner of the acteur
         * @description Roles: admin, platform_admin, moderator.
         */
        patch: operations["decideClaim"];
        trace?: never;
    };
    "/api/v1/acteurs/{idOrSlug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One acteur, by its id or slug
         * @description Anybody.
         */
        get: operations["getPublicActeur"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/communes/{communeId}/acteurs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Acteurs of a commune, by name
         * @description Anybody.
         */
        get: operations["listCommuneActeurs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/acteurs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Acteurs, newest first, or as asked
         * @description Roles: admin, platform_admin.
         */
        get: operations["listActeurs"];
        put?: never;
        /**
         * Create an acteur, not yet validated
         * @description Roles: admin, platform_admin.
         */
        post: operations["createActeur"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/acteurs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an acteur, also a deleted one, with its members
         * @description Roles: admin, platform_admin.
         */
        get: operations["getActeur"];
        put?: never;
        post?: never;
        /**
         * Delete an acteur so that it can be restored; what it published is no longer public
         * @description Roles: admin, platform_admin.
         */
        delete: operations["deleteActeur"];
        options?: never;
        head?: never;
        /**
         * Update what an acteur says of itself; its slug stays
         * @description Roles: admin, platform_admin.
         */
        patch: operations["updateActeur"];
        trace?: never;
    };
    "/api/v1/admin/acteurs/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Restore a deleted acteur, with what it published
         * @description Roles: admin, platform_admin.
         */
        delete: operations["restoreActeur"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/acteurs/{id}/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Validate an acteur, or take its validation back
         * @description Roles: admin, platform_admin.
         */
        patch: operations["validateActeur"];
        trace?: never;
    };
    "/api/v1/admin/acteurs/{id}/badge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the badge of an acteur, or remove it
         * @description Roles: admin, platform_admin.
         */
        patch: operations["setActeurBadge"];
        trace?: never;
    };
    "/api/v1/admin/acteurs/{id}/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Activate or deactivate an acteur; what an inactive one published is not public
         * @description Roles: admin, platform_admin.
         */
        patch: operations["setActeurActive"];
        trace?: never;
    };
    "/api/v1/admin/acteurs/{id}/can-publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grant or revoke the right to publish without moderation
         * @description Roles: admin, platform_admin.
         */
        post: operations["setActeurCanPublish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/import-sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Import sources, newest first, or as asked
         * @description Roles: admin, platform_admin.
         */
        get: operations["listImportSources"];
        put?: never;
        /**
         * Create an import source; nothing is imported yet
         * @description Roles: admin, platform_admin.
         */
        post: operations["createImportSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/import-sources/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an import source, with its last run
         * @description Roles: admin, platform_admin.
         */
        get: operations["getImportSource"];
        put?: never;
        post?: never;
        /**
         * Delete an import source with its history; what it imported stays
         * @description Roles: admin, platform_admin.
         */
        delete: operations["deleteImportSource"];
        options?: never;
        head?: never;
        /**
         * Update an import source; `actif: true` resumes one that was paused
         * @description Roles: admin, platform_admin.
         */
        patch: operations["updateImportSource"];
        trace?: never;
    };
    "/api/v1/admin/import-sources/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import now, in the background; or with `dry_run=true` show what an import would do
         * @description Roles: admin, platform_admin.
         */
        post: operations["runImportSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/import-sources/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Runs of an import source, dry ones too, newest first
         * @description Roles: admin, platform_admin.
         */
        get: operations["listImportRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/import-sources/{id}/logs/{date}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the runs of one day in Paris did, item by item
         * @description Roles: admin, platform_admin.
         */
        get: operations["readImportLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is signed in: their roles, what these open, and whom they may act for
         * @description Anybody signed in.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Users, newest first, or as asked
         * @description Roles: admin, platform_admin.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user
         * @description Roles: admin, platform_admin.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a user; the list of acteurs is replaced whole when given
         * @description Roles: admin, platform_admin.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/api/v1/admin/users/{userId}/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a user a role; one that it has already changes nothing
         * @description Roles: admin, platform_admin.
         */
        post: operations["addUserRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{userId}/roles/{role}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a role from a user; one that it has not changes nothing
         * @description Roles: admin, platform_admin.
         */
        delete: operations["removeUserRole"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Subscriptions, newest first, or as asked
         * @description Roles: admin, platform_admin.
         */
        get: operations["listSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Say whose a subscription is, above all that events say
         * @description Roles: admin, platform_admin.
         */
        patch: operations["assignSubscription"];
        trace?: never;
    };
    "/api/v1/webhooks/payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record an event of the payment provider, once; its effect follows
         * @description Signed in `Payment-Signature` (or the provider’s own `Stripe-Signature`), as `t=<seconds>,v1=<HMAC-SHA256 of "t.body", in hexadecimal>`, of the last five minutes. Whatever is signed is answered 200, known before or not. Only bad signatures are limited.
         *
         *     Whoever signs with the secret; bad signatures are limited.
         */
        post: operations["receivePaymentEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/support/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write to the support; a token, when there is one, says who writes
         * @description Anybody.
         */
        post: operations["createSupportMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/messages/threads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Support threads, the last written to first, or as asked
         * @description Roles: admin, platform_admin, support.
         */
        get: operations["listSupportThreads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/messages/threads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a support thread, without its messages
         * @description Roles: admin, platform_admin, support.
         */
        get: operations["getSupportThread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/messages/threads/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The messages of a support thread: the newest on the first page, each page in the order of writing
         * @description Roles: admin, platform_admin, support.
         */
        get: operations["listSupportMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/messages/threads/{id}/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reply by e-mail, which marks the thread as read and opens it; or send a message again
         * @description Roles: admin, platform_admin, support.
         */
        post: operations["replyToSupportThread"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/messages/threads/{id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Mark a support thread as read
         * @description Roles: admin, platform_admin, support.
         */
        patch: operations["markSupportThreadRead"];
        trace?: never;
    };
    "/api/v1/admin/messages/threads/{id}/unread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Mark a support thread as unread
         * @description Roles: admin, platform_admin, support.
         */
        patch: operations["markSupportThreadUnread"];
        trace?: never;
    };
    "/api/v1/admin/messages/threads/{id}/flag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Give a support thread a flag of some colour, or none
         * @description Roles: admin, platform_admin, support.
         */
        patch: operations["flagSupportThread"];
        trace?: never;
    };
    "/api/v1/admin/messages/threads/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Close a support thread, or open it again
         * @description Roles: admin, platform_admin, support.
         */
        patch: operations["closeSupportThread"];
        trace?: never;
    };
    "/api/v1/admin/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Figures of the whole; one that cannot be had in time is left out
         * @description Roles: admin, platform_admin, moderator, support.
         */
        get: operations["getDashboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The trail of changes, newest first, or as asked
         * @description Roles: admin, platform_admin.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            /**
             * @description Stable, whatever the language
             * @example not_found
             */
            error: string;
            /** @description For people; French with `Accept-Language: fr` */
            message: string;
        };
        ValidationError: {
            /** @constant */
            error: "validation_failed";
            message: string;
            details: {
                /**
                 * @description Path of the value, such as `ids.3`
                 * @example per_page
                 */
                field: string;
                /** @example must be at least 1 */
                message: string;
            }[];
        };
        CommuneListed: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * @description Slug of the commune
             * @example chambery
             */
            slug: string;
            /** @example Chambéry */
            nom: string;
            /** @example 73065 */
            code_insee: string;
            /**
             * @example [
             *       "73000"
             *     ]
             */
            codes_postaux: string[];
            /** @example 73 */
            departement: string;
        };
        Commune: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * @description Slug of the commune
             * @example chambery
             */
            slug: string;
            /** @example Chambéry */
            nom: string;
            /** @example 73065 */
            code_insee: string;
            /**
             * @example [
             *       "73000"
             *     ]
             */
            codes_postaux: string[];
            /** @example 73 */
            departement: string;
            /** @example 84 */
            region: string;
            /** @example 59856 */
            population: number | null;
            /** @example 45.5646 */
            latitude: number | null;
            /** @example 5.9178 */
            longitude: number | null;
            /**
             * Format: uuid
             * @description Acteur that represents the municipal office
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            mairie_actor_id: string | null;
        };
        Elu: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /** @example Vauquelin */
            nom: string;
            /** @example Odile */
            prenom: string;
            /** @example Maire */
            fonction: string;
            /** @example 1 */
            ordre: number;
            /** @example https://mairie.example/elus/vauquelin.jpg */
            photo_url: string | null;
            /**
             * Format: date
             * @description First day of the mandate
             * @example 2026-11-20
             */
            mandat_debut: string | null;
        };
        Collecte: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /** @example emballages */
            type_dechet: string;
            /** @example Bac jaune */
            libelle: string;
            /** @example Centre */
            secteur: string | null;
            /**
             * @example porte_a_porte
             * @enum {string}
             */
            mode: "porte_a_porte" | "apport_volontaire";
            /**
             * @example [
             *       "mardi"
             *     ]
             */
            jours: ("lundi" | "mardi" | "mercredi" | "jeudi" | "vendredi" | "samedi" | "dimanche")[];
            /**
             * @description Every how many weeks
             * @example 2
             */
            toutes_les_semaines: number;
            /**
             * Format: date
             * @description The day from which the weeks are counted
             * @example 2026-11-20
             */
            a_partir_du: string | null;
            /** @example [] */
            dates: string[];
            /**
             * @example [
             *       {
             *         "date": "2026-12-25",
             *         "reportee_au": "2026-12-26"
             *       }
             *     ]
             */
            exceptions: {
                /**
                 * Format: date
                 * @description A round that does not take place
                 * @example 2026-11-20
                 */
                date: string;
                /**
                 * Format: date
                 * @description The day it is moved to; null when it is dropped
                 * @example 2026-11-20
                 */
                reportee_au: string | null;
            }[];
            /** @example À sortir la veille au soir. */
            consignes: string | null;
            /**
             * @description The next five dates, today included (Europe/Paris)
             * @example [
             *       "2026-11-24",
             *       "2026-12-08",
             *       "2026-12-22",
             *       "2027-01-05",
             *       "2027-01-19"
             *     ]
             */
            prochaines: string[];
        };
        CommuneInfo: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * @description `adresse`, `telephone`, `email`, `site_web`, or another
             * @example horaires
             */
            cle: string;
            /** @example Horaires */
            libelle: string;
            /** @example Lundi au vendredi, 8 h 30 – 17 h */
            valeur: string;
            /** @example 1 */
            position: number;
        };
        CommuneInfos: {
            /** @example Place de l'Hôtel-de-Ville, 73000 Chambéry */
            adresse: string | null;
            /** @example 04 65 71 00 00 */
            telephone: string | null;
            /** @example mairie@chambery.example */
            email: string | null;
            /** @example https://www.chambery.example */
            site_web: string | null;
            sources: {
                /**
                 * @description Where the value comes from
                 * @example mairie
                 * @enum {string|null}
                 */
                adresse: "mairie" | "commune" | null;
                /**
                 * @description Where the value comes from
                 * @example mairie
                 * @enum {string|null}
                 */
                telephone: "mairie" | "commune" | null;
                /**
                 * @description Where the value comes from
                 * @example mairie
                 * @enum {string|null}
                 */
                email: "mairie" | "commune" | null;
                /**
                 * @description Where the value comes from
                 * @example mairie
                 * @enum {string|null}
                 */
                site_web: "mairie" | "commune" | null;
            };
            complements: components["schemas"]["CommuneInfo"][];
        };
        ManagedCommune: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * @description Slug of the commune
             * @example chambery
             */
            slug: string;
            /** @example Chambéry */
            nom: string;
            /** @example 73065 */
            code_insee: string;
            /**
             * @example [
             *       "73000"
             *     ]
             */
            codes_postaux: string[];
            /** @example 73 */
            departement: string;
            /** @example 84 */
            region: string;
            /** @example 59856 */
            population: number | null;
            /** @example 45.5646 */
            latitude: number | null;
            /** @example 5.9178 */
            longitude: number | null;
            /**
             * Format: uuid
             * @description Acteur that represents the municipal office
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            mairie_actor_id: string | null;
            /** @example 1 */
            version: number;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            updated_at: string;
        };
        PageMeta: {
            /** @example 1 */
            current_page: number;
            /**
             * @description 1 when there is nothing
             * @example 3
             */
            last_page: number;
            /** @example 25 */
            per_page: number;
            /** @example 57 */
            total: number;
        };
        CommuneMairie: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /** @example mairie-de-chambery */
            slug: string;
            /** @example Mairie de Chambéry */
            nom: string;
            active: boolean;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            deleted_at: string | null;
            /** @example Place de l'Hôtel-de-Ville, 73000 Chambéry */
            adresse: string | null;
            /** @example 04 65 71 00 00 */
            telephone: string | null;
            /** @example mairie@chambery.example */
            email: string | null;
            /** @example https://www.chambery.example */
            site_web: string | null;
        } | null;
        ManagedDefibrillateur: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * @description Identifier in the registry (`c_gid`)
             * @example 1800
             */
            gid: string;
            /** @example Mairie */
            nom: string | null;
            /** @example 1 Place de la Mairie */
            adresse: string | null;
            /** @example 42000 */
            code_postal: string | null;
            /**
             * @description As the registry writes it
             * @example Saint-Étienne
             */
            commune_nom: string | null;
            /**
             * @description Of the present commune
             * @example 42218
             */
            code_insee: string | null;
            /** @example 45.61 */
            latitude: number | null;
            /** @example 4.05 */
            longitude: number | null;
            /**
             * @description `Intérieur` or `Extérieur`
             * @example Extérieur
             */
            acces: string | null;
            /** @example true */
            acces_libre: boolean | null;
            /** @example 0 */
            etage: string | null;
            /** @example Entrée principale */
            acces_complement: string | null;
            /**
             * @description Opening hours as OpenStreetMap writes them, or in words
             * @example Mo-Fr 08:00-18:00
             */
            disponibilite: string | null;
            /** @example Fermé pendant les vacances scolaires */
            disponibilite_complement: string | null;
            /** @example En fonctionnement */
            etat_fonctionnement: string | null;
            /** @example https://photos.example/dae/1800.jpg */
            photo_url: string | null;
            /**
             * Format: date
             * @example 2026-11-20
             */
            date_installation: string | null;
            /**
             * Format: date-time
             * @description When the registry was told of it last
             * @example 2026-11-20T08:30:00.000Z
             */
            mis_a_jour_le: string | null;
            /**
             * @description Whether it can be reached now; null: nobody knows
             * @example true
             */
            ouvert: boolean | null;
            /**
             * @description Shown to the public only where it is `actif` on both levels
             * @example actif
             * @enum {string}
             */
            statut_admin: "actif" | "masque" | "a_verifier";
            /**
             * @description Of the administrators
             * @example Vu sur place le 12 mai
             */
            note: string | null;
            /**
             * @description Shown to the public only where it is `actif` on both levels
             * @example actif
             * @enum {string}
             */
            statut_admin_commune: "actif" | "masque" | "a_verifier";
            /**
             * @description Shown to the public only where it is `actif` on both levels
             * @example actif
             * @enum {string}
             */
            statut_admin_france: "actif" | "masque" | "a_verifier";
            /**
             * Format: date-time
             * @description Since when the registry has it no more
             * @example 2026-11-20T08:30:00.000Z
             */
            absent_depuis: string | null;
            /** @example 1 */
            version: number;
        };
        CommuneFull: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * @description Slug of the commune
             * @example chambery
             */
            slug: string;
            /** @example Chambéry */
            nom: string;
            /** @example 73065 */
            code_insee: string;
            /**
             * @example [
             *       "73000"
             *     ]
             */
            codes_postaux: string[];
            /** @example 73 */
            departement: string;
            /** @example 84 */
            region: string;
            /** @example 59856 */
            population: number | null;
            /** @example 45.5646 */
            latitude: number | null;
            /** @example 5.9178 */
            longitude: number | null;
            /**
             * Format: uuid
             * @description Acteur that represents the municipal office
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            mairie_actor_id: string | null;
            /** @example 1 */
            version: number;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            updated_at: string;
            mairie: components["schemas"]["CommuneMairie"];
            infos: components["schemas"]["CommuneInfos"];
            commune_infos: components["schemas"]["CommuneInfo"][];
            elus: components["schemas"]["Elu"][];
            collectes: components["schemas"]["Collecte"][];
            /** @description As GET /admin/communes/{id}/defibrillateurs */
            defibrillateurs: components["schemas"]["ManagedDefibrillateur"][];
            counts: {
                /**
                 * @description Not deleted
                 * @example 120
                 */
                publications: number;
                /**
                 * @description Not deleted
                 * @example 42
                 */
                acteurs: number;
                /**
                 * @description On its acteurs
                 * @example 1
                 */
                claims_pending: number;
                /**
                 * @description All of those above
                 * @example 12
                 */
                defibrillateurs: number;
            };
        };
        PublicationType: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /** @example evenement */
            slug: string;
            /** @example Événement */
            libelle: string;
        };
        PublicationActeur: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /** @example Les Croqueurs de pommes */
            nom: string;
            /** @example croqueurs */
            slug: string;
            /**
             * @example association
             * @enum {string}
             */
            type: "association" | "commerce" | "mairie" | "ecole" | "service" | "autre";
            /** @example Association de l’année */
            badge: string | null;
        } | null;
        /** @description The first of its communes */
        PublicationCommune: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /** @example bourg-en-bresse */
            slug: string;
            /** @example Bourg-en-Bresse */
            nom: string;
        } | null;
        TypeOfPublication: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /** @example evenement */
            slug: string;
            /** @example Événement */
            libelle: string;
        } | null;
        Publication: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /** @example fete-de-la-pomme */
            slug: string;
            /** @example Fête de la pomme */
            titre: string;
            /** @example Fête de la pomme */
            title: string;
            /**
             * @description Plain text, or a small subset of HTML; at most 40 000 characters
             * @example <p>Pressage sur la place.</p>
             */
            body: string;
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            type_id: string | null;
            /**
             * Format: date
             * @example 2026-11-20
             */
            date_debut: string | null;
            /**
             * Format: date
             * @example 2026-11-20
             */
            date_fin: string | null;
            /** @example https://croqueurs.example/fete */
            source_url: string | null;
            /** @example https://croqueurs.example/pomme.jpg */
            image_url: string | null;
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            acteur_id: string | null;
            acteur: components["schemas"]["PublicationActeur"];
            /**
             * Format: uuid
             * @description The first of its communes
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            commune_id: string | null;
            commune: components["schemas"]["PublicationCommune"];
            commune_ids: string[];
            type: components["schemas"]["TypeOfPublication"];
            /** @description First in its acteur's own list */
            epingle: boolean;
            /**
             * @example pending
             * @enum {string}
             */
            status: "pending" | "approved" | "published" | "rejected";
            /**
             * @example pending
             * @enum {string}
             */
            moderation_status: "pending" | "approved" | "published" | "rejected";
            valide: boolean;
            /**
             * Format: date-time
             * @description Null: invisible everywhere
             * @example 2026-11-20T08:30:00.000Z
             */
            publie_le: string | null;
            /** @description Featured, now */
            en_avant: boolean;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            featured_until: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            updated_at: string;
        };
        PublicationPageMeta: {
            /** @example 1 */
            current_page: number;
            /**
             * @description 1 when there is nothing
             * @example 3
             */
            last_page: number;
            /** @example 25 */
            per_page: number;
            /** @example 57 */
            total: number;
            /** @description True where words of a search stand in so many that they are not counted: there are `total`, and more. Otherwise absent: `total` is exact. */
            total_is_at_least?: boolean;
        };
        ManagedPublication: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /** @example fete-de-la-pomme */
            slug: string;
            /** @example Fête de la pomme */
            titre: string;
            /** @example Fête de la pomme */
            title: string;
            /**
             * @description Plain text, or a small subset of HTML; at most 40 000 characters
             * @example <p>Pressage sur la place.</p>
             */
            body: string;
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            type_id: string | null;
            /**
             * Format: date
             * @example 2026-11-20
             */
            date_debut: string | null;
            /**
             * Format: date
             * @example 2026-11-20
             */
            date_fin: string | null;
            /** @example https://croqueurs.example/fete */
            source_url: string | null;
            /** @example https://croqueurs.example/pomme.jpg */
            image_url: string | null;
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            acteur_id: string | null;
            acteur: components["schemas"]["PublicationActeur"];
            /**
             * Format: uuid
             * @description The first of its communes
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            commune_id: string | null;
            commune: components["schemas"]["PublicationCommune"];
            commune_ids: string[];
            type: components["schemas"]["TypeOfPublication"];
            /** @description First in its acteur's own list */
            epingle: boolean;
            /**
             * @example pending
             * @enum {string}
             */
            status: "pending" | "approved" | "published" | "rejected";
            /**
             * @example pending
             * @enum {string}
             */
            moderation_status: "pending" | "approved" | "published" | "rejected";
            valide: boolean;
            /**
             * Format: date-time
             * @description Null: invisible everywhere
             * @example 2026-11-20T08:30:00.000Z
             */
            publie_le: string | null;
            /** @description Featured, now */
            en_avant: boolean;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            featured_until: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            updated_at: string;
            /** @example Hors sujet */
            moderation_reason: string | null;
            /**
             * @description Why the public does not see it now; empty when it does
             * @example []
             */
            hidden_because: ("deleted" | "not_valid" | "pending" | "rejected" | "no_time" | "not_yet" | "acteur_inactive" | "acteur_deleted")[];
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            deleted_at: string | null;
            /**
             * @description Open reports of readers
             * @example 0
             */
            reports_open: number;
            /** @example 1 */
            version: number;
        };
        PublicationReportReceipt: {
            /**
             * Format: uuid
             * @description Identifier of the report
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * @example received
             * @enum {string}
             */
            status: "received";
        };
        MairiePublication: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /** @example fete-de-la-pomme */
            slug: string;
            /** @example Fête de la pomme */
            titre: string;
            /** @example Fête de la pomme */
            title: string;
            /**
             * @description Plain text, or a small subset of HTML; at most 40 000 characters
             * @example <p>Pressage sur la place.</p>
             */
            body: string;
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            type_id: string | null;
            /**
             * Format: date
             * @example 2026-11-20
             */
            date_debut: string | null;
            /**
             * Format: date
             * @example 2026-11-20
             */
            date_fin: string | null;
            /** @example https://croqueurs.example/fete */
            source_url: string | null;
            /** @example https://croqueurs.example/pomme.jpg */
            image_url: string | null;
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            acteur_id: string | null;
            acteur: components["schemas"]["PublicationActeur"];
            /**
             * Format: uuid
             * @description The first of its communes
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            commune_id: string | null;
            commune: components["schemas"]["PublicationCommune"];
            commune_ids: string[];
            type: components["schemas"]["TypeOfPublication"];
            /** @description First in its acteur's own list */
            epingle: boolean;
            /**
             * @example pending
             * @enum {string}
             */
            status: "pending" | "approved" | "published" | "rejected";
            /**
             * @example pending
             * @enum {string}
             */
            moderation_status: "pending" | "approved" | "published" | "rejected";
            valide: boolean;
            /**
             * Format: date-time
             * @description Null: invisible everywhere
             * @example 2026-11-20T08:30:00.000Z
             */
            publie_le: string | null;
            /** @description Featured, now */
            en_avant: boolean;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            featured_until: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            updated_at: string;
            /** @example Hors sujet */
            moderation_reason: string | null;
            /**
             * @description Why the public does not see it now; empty when it does
             * @example []
             */
            hidden_because: ("deleted" | "not_valid" | "pending" | "rejected" | "no_time" | "not_yet" | "acteur_inactive" | "acteur_deleted")[];
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            deleted_at: string | null;
            /**
             * @description Open reports of readers
             * @example 0
             */
            reports_open: number;
            /** @example 1 */
            version: number;
            /**
             * @description What the members of one group share
             * @example s:6f1ed002ab5595859014ebf0951522d9
             */
            duplicate_key?: string;
            /**
             * @example source_url
             * @enum {string}
             */
            duplicate_reason?: "source_url" | "signature";
            /**
             * @description Members of the whole group, deleted ones apart
             * @example 2
             */
            duplicate_count?: number;
            /** @description Whether the caller may decide on it for the mairie; to publish, the mairie must itself be allowed to */
            may_moderate: boolean;
        };
        ListedPublication: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /** @example fete-de-la-pomme */
            slug: string;
            /** @example Fête de la pomme */
            titre: string;
            /** @example Fête de la pomme */
            title: string;
            /**
             * @description Plain text, or a small subset of HTML; at most 40 000 characters
             * @example <p>Pressage sur la place.</p>
             */
            body: string;
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            type_id: string | null;
            /**
             * Format: date
             * @example 2026-11-20
             */
            date_debut: string | null;
            /**
             * Format: date
             * @example 2026-11-20
             */
            date_fin: string | null;
            /** @example https://croqueurs.example/fete */
            source_url: string | null;
            /** @example https://croqueurs.example/pomme.jpg */
            image_url: string | null;
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            acteur_id: string | null;
            acteur: components["schemas"]["PublicationActeur"];
            /**
             * Format: uuid
             * @description The first of its communes
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            commune_id: string | null;
            commune: components["schemas"]["PublicationCommune"];
            commune_ids: string[];
            type: components["schemas"]["TypeOfPublication"];
            /** @description First in its acteur's own list */
            epingle: boolean;
            /**
             * @example pending
             * @enum {string}
             */
            status: "pending" | "approved" | "published" | "rejected";
            /**
             * @example pending
             * @enum {string}
             */
            moderation_status: "pending" | "approved" | "published" | "rejected";
            valide: boolean;
            /**
             * Format: date-time
             * @description Null: invisible everywhere
             * @example 2026-11-20T08:30:00.000Z
             */
            publie_le: string | null;
            /** @description Featured, now */
            en_avant: boolean;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            featured_until: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            updated_at: string;
            /** @example Hors sujet */
            moderation_reason: string | null;
            /**
             * @description Why the public does not see it now; empty when it does
             * @example []
             */
            hidden_because: ("deleted" | "not_valid" | "pending" | "rejected" | "no_time" | "not_yet" | "acteur_inactive" | "acteur_deleted")[];
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            deleted_at: string | null;
            /**
             * @description Open reports of readers
             * @example 0
             */
            reports_open: number;
            /** @example 1 */
            version: number;
            /**
             * @description What the members of one group share
             * @example s:6f1ed002ab5595859014ebf0951522d9
             */
            duplicate_key?: string;
            /**
             * @example source_url
             * @enum {string}
             */
            duplicate_reason?: "source_url" | "signature";
            /**
             * @description Members of the whole group, deleted ones apart
             * @example 2
             */
            duplicate_count?: number;
        };
        PublicationReport: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * @example spam
             * @enum {string|null}
             */
            category: "spam" | "inappropriate" | "wrong" | "duplicate" | "other" | null;
            /** @example Ce numéro n’existe pas */
            reason: string | null;
            /** @example La fête a été annulée. */
            message: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When a decision closed it; null: it is open
             * @example 2026-11-20T08:30:00.000Z
             */
            closed_at: string | null;
        };
        ReportedPublication: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /** @example fete-de-la-pomme */
            slug: string;
            /** @example Fête de la pomme */
            titre: string;
            /** @example Fête de la pomme */
            title: string;
            /**
             * @description Plain text, or a small subset of HTML; at most 40 000 characters
             * @example <p>Pressage sur la place.</p>
             */
            body: string;
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            type_id: string | null;
            /**
             * Format: date
             * @example 2026-11-20
             */
            date_debut: string | null;
            /**
             * Format: date
             * @example 2026-11-20
             */
            date_fin: string | null;
            /** @example https://croqueurs.example/fete */
            source_url: string | null;
            /** @example https://croqueurs.example/pomme.jpg */
            image_url: string | null;
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            acteur_id: string | null;
            acteur: components["schemas"]["PublicationActeur"];
            /**
             * Format: uuid
             * @description The first of its communes
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            commune_id: string | null;
            commune: components["schemas"]["PublicationCommune"];
            commune_ids: string[];
            type: components["schemas"]["TypeOfPublication"];
            /** @description First in its acteur's own list */
            epingle: boolean;
            /**
             * @example pending
             * @enum {string}
             */
            status: "pending" | "approved" | "published" | "rejected";
            /**
             * @example pending
             * @enum {string}
             */
            moderation_status: "pending" | "approved" | "published" | "rejected";
            valide: boolean;
            /**
             * Format: date-time
             * @description Null: invisible everywhere
             * @example 2026-11-20T08:30:00.000Z
             */
            publie_le: string | null;
            /** @description Featured, now */
            en_avant: boolean;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            featured_until: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            updated_at: string;
            /** @example Hors sujet */
            moderation_reason: string | null;
            /**
             * @description Why the public does not see it now; empty when it does
             * @example []
             */
            hidden_because: ("deleted" | "not_valid" | "pending" | "rejected" | "no_time" | "not_yet" | "acteur_inactive" | "acteur_deleted")[];
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            deleted_at: string | null;
            /**
             * @description Open reports of readers
             * @example 0
             */
            reports_open: number;
            /** @example 1 */
            version: number;
            /** @description Its newest 50 */
            reports: components["schemas"]["PublicationReport"][];
        };
        BulkResult: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * @example updated
             * @enum {string}
             */
            result: "updated" | "unchanged" | "not_found" | "deleted";
            /** @description What it was before this decision, so that it can be undone */
            previous: {
                /**
                 * @example pending
                 * @enum {string}
                 */
                moderation_status: "pending" | "approved" | "published" | "rejected";
                valide: boolean;
            } | null;
        };
        BulkModerationAnswer: {
            data: components["schemas"]["BulkResult"][];
            meta: {
                /** @example 1 */
                updated: number;
                /** @example 1 */
                unchanged: number;
                /** @example 1 */
                not_found: number;
                /** @example 1 */
                deleted: number;
            };
        };
        Alerte: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * Format: uuid
             * @description The commune it was made for
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            commune_id: string | null;
            /**
             * Format: uuid
             * @description The mairie acteur it was made for
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            acteur_id: string | null;
            /** @example Coupure d’eau rue du Puits */
            titre: string;
            /** @example L’eau est coupée jeudi de 8 h à midi, du 2 au 40. */
            message: string;
            /**
             * @description How much it matters
             * @example info
             * @enum {string}
             */
            niveau: "info" | "attention" | "urgence";
            /**
             * Format: date-time
             * @description From when it holds; null: at once
             * @example 2026-11-20T08:30:00.000Z
             */
            debut: string | null;
            /**
             * Format: date-time
             * @description Until when it holds; null: until further notice
             * @example 2026-11-20T08:30:00.000Z
             */
            fin: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            created_at: string;
        };
        Defibrillateur: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * @description Identifier in the registry (`c_gid`)
             * @example 1800
             */
            gid: string;
            /** @example Mairie */
            nom: string | null;
            /** @example 1 Place de la Mairie */
            adresse: string | null;
            /** @example 42000 */
            code_postal: string | null;
            /**
             * @description As the registry writes it
             * @example Saint-Étienne
             */
            commune_nom: string | null;
            /**
             * @description Of the present commune
             * @example 42218
             */
            code_insee: string | null;
            /** @example 45.61 */
            latitude: number | null;
            /** @example 4.05 */
            longitude: number | null;
            /**
             * @description `Intérieur` or `Extérieur`
             * @example Extérieur
             */
            acces: string | null;
            /** @example true */
            acces_libre: boolean | null;
            /** @example 0 */
            etage: string | null;
            /** @example Entrée principale */
            acces_complement: string | null;
            /**
             * @description Opening hours as OpenStreetMap writes them, or in words
             * @example Mo-Fr 08:00-18:00
             */
            disponibilite: string | null;
            /** @example Fermé pendant les vacances scolaires */
            disponibilite_complement: string | null;
            /** @example En fonctionnement */
            etat_fonctionnement: string | null;
            /** @example https://photos.example/dae/1800.jpg */
            photo_url: string | null;
            /**
             * Format: date
             * @example 2026-11-20
             */
            date_installation: string | null;
            /**
             * Format: date-time
             * @description When the registry was told of it last
             * @example 2026-11-20T08:30:00.000Z
             */
            mis_a_jour_le: string | null;
            /**
             * @description Whether it can be reached now; null: nobody knows
             * @example true
             */
            ouvert: boolean | null;
        };
        CommuneDefibrillateurs: {
            defibrillateurs: components["schemas"]["Defibrillateur"][];
            meta: {
                /** @example 12 */
                count: number;
                /**
                 * Format: date-time
                 * @description When a sync last succeeded, of the commune or of France
                 * @example 2026-11-20T08:30:00.000Z
                 */
                last_synced_at: string | null;
                /**
                 * @description Of the latest sync; null: there was none
                 * @example queued
                 * @enum {string|null}
                 */
                sync_status: "queued" | "running" | "succeeded" | "failed" | null;
            };
        };
        DefibrillateurListed: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * @description Identifier in the registry (`c_gid`)
             * @example 1800
             */
            gid: string;
            /** @example Mairie */
            nom: string | null;
            /** @example 1 Place de la Mairie */
            adresse: string | null;
            /** @example 42000 */
            code_postal: string | null;
            /**
             * @description As the registry writes it
             * @example Saint-Étienne
             */
            commune_nom: string | null;
            /**
             * @description Of the present commune
             * @example 42218
             */
            code_insee: string | null;
            /** @example 45.61 */
            latitude: number | null;
            /** @example 4.05 */
            longitude: number | null;
            /**
             * @description `Intérieur` or `Extérieur`
             * @example Extérieur
             */
            acces: string | null;
            /** @example true */
            acces_libre: boolean | null;
            /** @example 0 */
            etage: string | null;
            /** @example Entrée principale */
            acces_complement: string | null;
            /**
             * @description Opening hours as OpenStreetMap writes them, or in words
             * @example Mo-Fr 08:00-18:00
             */
            disponibilite: string | null;
            /** @example Fermé pendant les vacances scolaires */
            disponibilite_complement: string | null;
            /** @example En fonctionnement */
            etat_fonctionnement: string | null;
            /** @example https://photos.example/dae/1800.jpg */
            photo_url: string | null;
            /**
             * Format: date
             * @example 2026-11-20
             */
            date_installation: string | null;
            /**
             * Format: date-time
             * @description When the registry was told of it last
             * @example 2026-11-20T08:30:00.000Z
             */
            mis_a_jour_le: string | null;
            /**
             * @description Whether it can be reached now; null: nobody knows
             * @example true
             */
            ouvert: boolean | null;
            /**
             * @description As the crow flies, where a place was given
             * @example 240
             */
            distance_m?: number;
        };
        DefibrillateurSyncStarted: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * @example queued
             * @enum {string}
             */
            status: "queued" | "running" | "succeeded" | "failed";
        };
        DefibrillateurSync: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * Format: uuid
             * @description Null: all of France
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            commune_id: string | null;
            /**
             * @description The registry itself, or a file of it
             * @example registre
             * @enum {string}
             */
            source: "registre" | "fichier";
            /**
             * @example queued
             * @enum {string}
             */
            status: "queued" | "running" | "succeeded" | "failed";
            /** @example The registry answered 503. */
            error: string | null;
            counts: {
                /**
                 * @description Rows of the registry
                 * @example 12
                 */
                read?: number;
                /**
                 * @description Different devices among them
                 * @example 12
                 */
                received?: number;
                /**
                 * @description New ones
                 * @example 12
                 */
                created?: number;
                /**
                 * @description Changed ones
                 * @example 12
                 */
                updated?: number;
                /**
                 * @description Ones that were so already
                 * @example 12
                 */
                unchanged?: number;
                /**
                 * @description Ones that the registry has no more
                 * @example 12
                 */
                absent?: number;
                /**
                 * @description Ones that it has again, unchanged
                 * @example 12
                 */
                returned?: number;
                /**
                 * @description Rows that were left out, by reason
                 * @example {
                 *       "no_identifier": 3
                 *     }
                 */
                refused?: {
                    [key: string]: number;
                };
                /**
                 * @description Values that were mended or left out, by reason
                 * @example {
                 *       "contact_masked": 3
                 *     }
                 */
                cleaned?: {
                    [key: string]: number;
                };
            } | null;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            finished_at: string | null;
        };
        SubmittedClaim: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * @example pending
             * @enum {string}
             */
            status: "pending";
        };
        OwnClaim: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            acteur: {
                /**
                 * Format: uuid
                 * @description Identifier
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
                /** @example Boule des Accoules */
                nom: string;
                /** @example boule-des-accoules */
                slug: string;
            };
            /**
             * @example pending
             * @enum {string}
             */
            status: "pending" | "approved" | "rejected" | "expired";
            /** @example Le club nous a indiqué un autre contact. */
            reason: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            decided_at: string | null;
        };
        ClaimActeur: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /** @example Boule des Accoules */
            nom: string;
        };
        ClaimActeurOwner: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            user_id: string;
            /** @example Odile Vauquelin */
            nom: string | null;
            /** @example odile.vauquelin@example.org */
            email: string | null;
            /**
             * @description Whether the identity provider says that the address is theirs
             * @example true
             */
            email_verified: boolean;
        };
        Claim: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * Format: uuid
             * @description The claimed acteur
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            acteur_id: string;
            /**
             * Format: uuid
             * @description Who asks, when signed in; once approved, who became owner
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            user_id: string | null;
            /** @example Odile Vauquelin */
            nom: string | null;
            /** @example odile.vauquelin@example.org */
            email: string | null;
            /** @example 01 99 00 12 34 */
            telephone: string | null;
            /**
             * @description Empty once retention has emptied it
             * @example Je préside le club depuis mars et je tiens désormais sa page.
             */
            message: string;
            /**
             * @example pending
             * @enum {string}
             */
            status: "pending" | "approved" | "rejected" | "expired";
            /** @example Le club nous a indiqué un autre contact. */
            reason: string | null;
            /**
             * Format: uuid
             * @description The administrator or moderator
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            decided_by: string | null;
            /**
             * @description The mail that tells the claimant; null: not decided, or no address is known
             * @example queued
             * @enum {string|null}
             */
            email_status: "queued" | "sending" | "sent" | "failed" | "uncertain" | null;
            /**
             * @description What the mail server said to the last try, without addresses
             * @example 452 4.2.2 Mailbox full
             */
            email_error: string | null;
            /** @example 1 */
            version: number;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            created_at: string;
            acteur: components["schemas"]["ClaimActeur"];
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            decided_at: string | null;
            /** @description Who owns the acteur now */
            owners: components["schemas"]["ClaimActeurOwner"][];
        };
        ClaimMatchingUser: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /** @example Odile Vauquelin */
            nom: string | null;
            /** @example odile.vauquelin@example.org */
            email: string | null;
            /**
             * @description Whether the identity provider says that the address is theirs
             * @example true
             */
            email_verified: boolean;
            /** @example [] */
            roles: ("admin" | "platform_admin" | "moderator" | "support")[];
        };
        ClaimRead: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * Format: uuid
             * @description The claimed acteur
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            acteur_id: string;
            /**
             * Format: uuid
             * @description Who asks, when signed in; once approved, who became owner
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            user_id: string | null;
            /** @example Odile Vauquelin */
            nom: string | null;
            /** @example odile.vauquelin@example.org */
            email: string | null;
            /** @example 01 99 00 12 34 */
            telephone: string | null;
            /**
             * @description Empty once retention has emptied it
             * @example Je préside le club depuis mars et je tiens désormais sa page.
             */
            message: string;
            /**
             * @example pending
             * @enum {string}
             */
            status: "pending" | "approved" | "rejected" | "expired";
            /** @example Le club nous a indiqué un autre contact. */
            reason: string | null;
            /**
             * Format: uuid
             * @description The administrator or moderator
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            decided_by: string | null;
            /**
             * @description The mail that tells the claimant; null: not decided, or no address is known
             * @example queued
             * @enum {string|null}
             */
            email_status: "queued" | "sending" | "sent" | "failed" | "uncertain" | null;
            /**
             * @description What the mail server said to the last try, without addresses
             * @example 452 4.2.2 Mailbox full
             */
            email_error: string | null;
            /** @example 1 */
            version: number;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            created_at: string;
            acteur: components["schemas"]["ClaimActeur"];
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            decided_at: string | null;
            /** @description Who owns the acteur now */
            owners: components["schemas"]["ClaimActeurOwner"][];
            /** @description Users of the claim's address, those to whom it verifiably belongs first */
            matching_users: components["schemas"]["ClaimMatchingUser"][];
        };
        PublicActeur: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /** @example petanque-de-chambery */
            slug: string;
            /** @example Pétanque de Chambéry */
            nom: string;
            /**
             * @example association
             * @enum {string}
             */
            type: "association" | "commerce" | "mairie" | "ecole" | "service" | "autre";
            /** @example Partenaire */
            badge: string | null;
            /** @example Ouvert à tous, le jeudi soir. */
            description: string | null;
            /** @example 12 rue des Alpes, 73000 Chambéry */
            adresse: string | null;
            /** @example 04 65 71 73 12 */
            telephone: string | null;
            /** @example contact@petanque.example */
            email: string | null;
            /** @example https://petanque.example */
            site_web: string | null;
            /** @description Where it acts */
            commune: {
                /**
                 * Format: uuid
                 * @description Identifier
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
                /** @example chambery */
                slug: string;
                /** @example Chambéry */
                nom: string;
            } | null;
        };
        CurrentSubscription: {
            /** @example commerce */
            plan: string | null;
            /** @example Commerce */
            label: string | null;
            /**
             * @example incomplete
             * @enum {string}
             */
            status: "incomplete" | "incomplete_expired" | "trialing" | "active" | "past_due" | "canceled" | "unpaid" | "paused";
            /**
             * Format: date-time
             * @description Until when it is paid for
             * @example 2026-11-20T08:30:00.000Z
             */
            current_period_end: string | null;
        } | null;
        Acteur: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /** @example petanque-de-chambery */
            slug: string;
            /** @example Pétanque de Chambéry */
            nom: string;
            /**
             * @example association
             * @enum {string}
             */
            type: "association" | "commerce" | "mairie" | "ecole" | "service" | "autre";
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            commune_id: string | null;
            /** @example Ouvert à tous, le jeudi soir. */
            description: string | null;
            /** @example 12 rue des Alpes, 73000 Chambéry */
            adresse: string | null;
            /** @example 04 65 71 73 12 */
            telephone: string | null;
            /** @example contact@petanque.example */
            email: string | null;
            /** @example https://petanque.example */
            site_web: string | null;
            /** @example true */
            valide: boolean;
            /** @example Partenaire */
            badge: string | null;
            /** @example true */
            active: boolean;
            /** @example false */
            can_publish: boolean;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            deleted_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            updated_at: string;
            /** @example 1 */
            version: number;
            subscription: components["schemas"]["CurrentSubscription"];
        };
        ActeurMember: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            user_id: string;
            /** @example Zoé Lambert */
            nom: string | null;
            /** @example zoe@example.org */
            email: string | null;
            /**
             * @description Whether the identity provider says that the address is theirs
             * @example true
             */
            email_verified: boolean;
            /**
             * @description An owner may do all; an editor what its permissions say
             * @example owner
             * @enum {string}
             */
            role: "owner" | "editor";
            /**
             * @example [
             *       "manage_publications"
             *     ]
             */
            permissions: ("manage_publications" | "publish_publications")[];
        };
        ActeurRead: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /** @example petanque-de-chambery */
            slug: string;
            /** @example Pétanque de Chambéry */
            nom: string;
            /**
             * @example association
             * @enum {string}
             */
            type: "association" | "commerce" | "mairie" | "ecole" | "service" | "autre";
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            commune_id: string | null;
            /** @example Ouvert à tous, le jeudi soir. */
            description: string | null;
            /** @example 12 rue des Alpes, 73000 Chambéry */
            adresse: string | null;
            /** @example 04 65 71 73 12 */
            telephone: string | null;
            /** @example contact@petanque.example */
            email: string | null;
            /** @example https://petanque.example */
            site_web: string | null;
            /** @example true */
            valide: boolean;
            /** @example Partenaire */
            badge: string | null;
            /** @example true */
            active: boolean;
            /** @example false */
            can_publish: boolean;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            deleted_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            updated_at: string;
            /** @example 1 */
            version: number;
            subscription: components["schemas"]["CurrentSubscription"];
            /** @description Who may act for it */
            members: components["schemas"]["ActeurMember"][];
        };
        /** @description csv: names of columns; json: paths such as `lieu.nom` or `images.0.url` */
        ImportMapping: {
            /**
             * @description Tells one item from all others of the source, for good
             * @example id
             */
            external_id: string;
            /**
             * @description The title
             * @example titre
             */
            title: string;
            /**
             * @description The text; where an item has none, its title
             * @example texte
             */
            body: string;
            /**
             * @description The page of the item
             * @example lien
             */
            url?: string;
            /**
             * @description First day
             * @example debut
             */
            date_debut?: string;
            /**
             * @description Last day
             * @example fin
             */
            date_fin?: string;
            /**
             * @description A picture
             * @example image
             */
            image_url?: string;
            /**
             * @description json alone: the path of the list; without it the document is the list
             * @example data.items
             */
            items?: string;
        } | null;
        /** @description The last that was no dry run */
        ImportLastRun: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            source_id: string;
            /**
             * @description Only looked at: nothing but the run was written
             * @example false
             */
            dry_run: boolean;
            /**
             * @description partial: imported, but for items that were rejected; failed: the source could not be read, or not to its end
             * @example queued
             * @enum {string}
             */
            status: "queued" | "running" | "succeeded" | "partial" | "failed";
            /**
             * Format: date-time
             * @description When it was asked for, until it begins
             * @example 2026-11-20T08:30:00.000Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            finished_at: string | null;
            /**
             * @description Items read; each counts once below
             * @example 3
             */
            fetched: number;
            /** @example 3 */
            created: number;
            /** @example 3 */
            updated: number;
            /**
             * @description The same as before, or changed here by hand since
             * @example 3
             */
            unchanged: number;
            /**
             * @description New, but another publication says the same
             * @example 3
             */
            duplicates: number;
            /** @example 3 */
            rejected: number;
            /** @example The server did not answer in full within the time limit. */
            error: string | null;
        } | null;
        ImportSource: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /** @example Agenda de la médiathèque */
            nom: string;
            /**
             * @description rss also reads Atom, RDF and JSON Feed
             * @example rss
             * @enum {string}
             */
            type: "rss" | "ics" | "csv" | "json" | "openagenda";
            /** @example https://mediatheque.example/agenda.xml */
            url: string;
            /**
             * Format: uuid
             * @description Whose publications they become; null: what is imported waits for a decision
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            acteur_id: string | null;
            /**
             * Format: uuid
             * @description Where they are shown; null: the acteur's commune
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            commune_id: string | null;
            /**
             * Format: uuid
             * @description Their publication type
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            type_id: string | null;
            /**
             * @description What is new is published at once, where the acteur may; or waits for a decision
             * @example published
             * @enum {string}
             */
            moderation_status: "published" | "pending";
            /**
             * @description Inactive, it is only read by dry runs
             * @example true
             */
            actif: boolean;
            /**
             * @description What another publication says already is left out; else it is let in, and counted
             * @example true
             */
            skip_duplicates: boolean;
            /**
             * @description When it runs by itself, five fields in the time of Paris
             * @example 0 6 * * *
             */
            cron: string | null;
            mapping: components["schemas"]["ImportMapping"];
            /**
             * @description Failed runs in a row
             * @example 0
             */
            failures: number;
            /**
             * @description Why it was switched off by itself
             * @example Failed 5 times in a row.
             */
            paused_reason: string | null;
            /** @example 1 */
            version: number;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            updated_at: string;
            last_run: components["schemas"]["ImportLastRun"];
        };
        /**
         * @description csv: names of columns; json: paths such as `lieu.nom` or `images.0.url`
         * @example null
         */
        ImportMappingGiven: {
            /**
             * @description Tells one item from all others of the source, for good
             * @example id
             */
            external_id: string;
            /**
             * @description The title
             * @example titre
             */
            title: string;
            /**
             * @description The text; where an item has none, its title
             * @example texte
             */
            body: string;
            /**
             * @description The page of the item
             * @example lien
             */
            url?: string;
            /**
             * @description First day
             * @example debut
             */
            date_debut?: string;
            /**
             * @description Last day
             * @example fin
             */
            date_fin?: string;
            /**
             * @description A picture
             * @example image
             */
            image_url?: string;
            /**
             * @description json alone: the path of the list; without it the document is the list
             * @example data.items
             */
            items?: string;
        } | null;
        ImportRunItem: {
            /** @example urn:uuid:42 */
            external_id: string | null;
            /** @example Heure du conte */
            title: string | null;
            /**
             * @example created
             * @enum {string}
             */
            action: "created" | "updated" | "unchanged" | "duplicate" | "rejected";
            /** @example another publication says the same */
            reason: string | null;
        };
        ImportDryRun: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            source_id: string;
            /**
             * @description Only looked at: nothing but the run was written
             * @example false
             */
            dry_run: boolean;
            /**
             * @description partial: imported, but for items that were rejected; failed: the source could not be read, or not to its end
             * @example queued
             * @enum {string}
             */
            status: "queued" | "running" | "succeeded" | "partial" | "failed";
            /**
             * Format: date-time
             * @description When it was asked for, until it begins
             * @example 2026-11-20T08:30:00.000Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            finished_at: string | null;
            /**
             * @description Items read; each counts once below
             * @example 3
             */
            fetched: number;
            /** @example 3 */
            created: number;
            /** @example 3 */
            updated: number;
            /**
             * @description The same as before, or changed here by hand since
             * @example 3
             */
            unchanged: number;
            /**
             * @description New, but another publication says the same
             * @example 3
             */
            duplicates: number;
            /** @example 3 */
            rejected: number;
            /** @example The server did not answer in full within the time limit. */
            error: string | null;
            /** @description The first 1 000, in the order of the source */
            items: components["schemas"]["ImportRunItem"][];
        };
        ImportRun: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            source_id: string;
            /**
             * @description Only looked at: nothing but the run was written
             * @example false
             */
            dry_run: boolean;
            /**
             * @description partial: imported, but for items that were rejected; failed: the source could not be read, or not to its end
             * @example queued
             * @enum {string}
             */
            status: "queued" | "running" | "succeeded" | "partial" | "failed";
            /**
             * Format: date-time
             * @description When it was asked for, until it begins
             * @example 2026-11-20T08:30:00.000Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            finished_at: string | null;
            /**
             * @description Items read; each counts once below
             * @example 3
             */
            fetched: number;
            /** @example 3 */
            created: number;
            /** @example 3 */
            updated: number;
            /**
             * @description The same as before, or changed here by hand since
             * @example 3
             */
            unchanged: number;
            /**
             * @description New, but another publication says the same
             * @example 3
             */
            duplicates: number;
            /** @example 3 */
            rejected: number;
            /** @example The server did not answer in full within the time limit. */
            error: string | null;
        };
        ImportLogLine: {
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            at: string;
            /**
             * @example info
             * @enum {string}
             */
            level: "info" | "warning" | "error";
            /** @example created */
            message: string;
            /**
             * @description The item that it is about
             * @example urn:uuid:42
             */
            external_id: string | null;
        };
        ImportLoggedRun: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            source_id: string;
            /**
             * @description Only looked at: nothing but the run was written
             * @example false
             */
            dry_run: boolean;
            /**
             * @description partial: imported, but for items that were rejected; failed: the source could not be read, or not to its end
             * @example queued
             * @enum {string}
             */
            status: "queued" | "running" | "succeeded" | "partial" | "failed";
            /**
             * Format: date-time
             * @description When it was asked for, until it begins
             * @example 2026-11-20T08:30:00.000Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            finished_at: string | null;
            /**
             * @description Items read; each counts once below
             * @example 3
             */
            fetched: number;
            /** @example 3 */
            created: number;
            /** @example 3 */
            updated: number;
            /**
             * @description The same as before, or changed here by hand since
             * @example 3
             */
            unchanged: number;
            /**
             * @description New, but another publication says the same
             * @example 3
             */
            duplicates: number;
            /** @example 3 */
            rejected: number;
            /** @example The server did not answer in full within the time limit. */
            error: string | null;
            /** @description The first 1 000 */
            lines: components["schemas"]["ImportLogLine"][];
            /**
             * @description All of its lines, also those not shown
             * @example 1
             */
            lines_total: number;
        };
        ImportDayLog: {
            /**
             * Format: date
             * @example 2026-11-20
             */
            date: string;
            /** @description Newest first */
            runs: components["schemas"]["ImportLoggedRun"][];
        };
        MyActeur: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            acteur_id: string;
            /** @example Mairie de Chambéry */
            nom: string;
            /** @example mairie-de-chambery */
            slug: string;
            /**
             * @example association
             * @enum {string}
             */
            type: "association" | "commerce" | "mairie" | "ecole" | "service" | "autre";
            /**
             * @description An owner may do all; an editor what its permissions say
             * @example owner
             * @enum {string}
             */
            role: "owner" | "editor";
            /**
             * @example [
             *       "manage_publications"
             *     ]
             */
            permissions: ("manage_publications" | "publish_publications")[];
            /**
             * @description Whether what it publishes waits for no moderation
             * @example true
             */
            can_publish: boolean;
            /** @description The communes that name it as their mairie */
            mairie_of: {
                /**
                 * Format: uuid
                 * @description Identifier
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
                /** @example chambery */
                slug: string;
                /** @example Chambéry */
                nom: string;
            }[];
        };
        Me: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /** @example zoe@example.org */
            email: string | null;
            /**
             * @description Whether the identity provider says that the address is theirs
             * @example true
             */
            email_verified: boolean;
            /** @example Zoé Lambert */
            nom: string | null;
            /**
             * @example [
             *       "moderator"
             *     ]
             */
            roles: ("admin" | "platform_admin" | "moderator" | "support")[];
            /**
             * @description The parts of the back-office that their roles open
             * @example [
             *       "claims",
             *       "dashboard",
             *       "publications"
             *     ]
             */
            areas: string[];
            /** @description Whom they may act for, deleted ones apart */
            acteurs: components["schemas"]["MyActeur"][];
        };
        Membership: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            acteur_id: string;
            /**
             * @description An owner may do all; an editor what its permissions say
             * @example owner
             * @enum {string}
             */
            role: "owner" | "editor";
            /**
             * @example [
             *       "manage_publications"
             *     ]
             */
            permissions: ("manage_publications" | "publish_publications")[];
        };
        User: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * @description Information; it proves nothing
             * @example zoe@example.org
             */
            email: string | null;
            /**
             * @description Whether the identity provider says that the address is theirs
             * @example true
             */
            email_verified: boolean;
            /** @example Zoé Lambert */
            nom: string | null;
            /** @example true */
            actif: boolean;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description To within five minutes
             * @example 2026-11-20T08:30:00.000Z
             */
            last_seen_at: string | null;
            /** @example 1 */
            version: number;
            /**
             * @example [
             *       "moderator"
             *     ]
             */
            roles: ("admin" | "platform_admin" | "moderator" | "support")[];
            acteurs: components["schemas"]["Membership"][];
        };
        UserRoles: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            user_id: string;
            /**
             * @example [
             *       "moderator"
             *     ]
             */
            roles: ("admin" | "platform_admin" | "moderator" | "support")[];
        };
        SubscriptionActeur: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /** @example Boulangerie des Halles */
            nom: string;
        } | null;
        Subscription: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * Format: uuid
             * @description Whose it is; null while nobody has said
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            acteur_id: string | null;
            /**
             * @example incomplete
             * @enum {string}
             */
            status: "incomplete" | "incomplete_expired" | "trialing" | "active" | "past_due" | "canceled" | "unpaid" | "paused";
            /** @example cus_S4hQ1 */
            provider_customer_id: string | null;
            /** @example sub_1R9zQ2 */
            provider_subscription_id: string;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            current_period_start: string | null;
            /**
             * Format: date-time
             * @description Until when it is paid for
             * @example 2026-11-20T08:30:00.000Z
             */
            current_period_end: string | null;
            /**
             * @description It ends then, and is not renewed
             * @example false
             */
            cancel_at_period_end: boolean;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            canceled_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            trial_end: string | null;
            /** @example 1 */
            version: number;
            /**
             * Format: date-time
             * @description When the service first heard of it
             * @example 2026-11-20T08:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            updated_at: string;
            acteur: components["schemas"]["SubscriptionActeur"];
            /**
             * @description Of its price, as the settings name it
             * @example commerce
             */
            plan: string | null;
            /** @example Commerce */
            label: string | null;
        };
        /** @description What else it holds is the provider’s, and is not looked at. */
        PaymentEvent: {
            /**
             * @description The event, to the provider
             * @example evt_1R9zQ2
             */
            id: string;
            /** @example customer.subscription.updated */
            type: string;
            /**
             * @description When it happened, in seconds
             * @example 1795188600
             */
            created?: unknown;
            /**
             * @description What it happened to, as it is since: of this a few harmless fields are kept
             * @example {
             *       "object": {
             *         "id": "sub_1R9zQ2",
             *         "customer": "cus_S4h",
             *         "status": "active",
             *         "metadata": {}
             *       }
             *     }
             */
            data?: unknown;
        };
        PaymentEventReceived: {
            /**
             * @description Recorded, now or before
             * @example true
             * @enum {boolean}
             */
            received: true;
        };
        ReceivedSupportMessage: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * @example open
             * @enum {string}
             */
            status: "open";
        };
        SupportThread: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * @description In the subject of each mail
             * @example 1042
             */
            number: number;
            /** @example Bac non relevé */
            subject: string;
            /** @example Odile Vauquelin */
            nom: string | null;
            /**
             * @description As whoever wrote typed it: nobody has verified it. Null once they had it erased
             * @example odile.vauquelin@example.org
             */
            email: string | null;
            /**
             * Format: uuid
             * @description Who wrote, when signed in
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            user_id: string | null;
            /**
             * Format: uuid
             * @description The commune it is about
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            commune_id: string | null;
            /**
             * @example open
             * @enum {string}
             */
            status: "open" | "closed";
            /** @example true */
            unread: boolean;
            /**
             * @example red
             * @enum {string|null}
             */
            flag: "red" | "orange" | "yellow" | "green" | "blue" | "purple" | null;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            last_message_at: string;
            /** @example 1 */
            messages_count: number;
            /** @example 1 */
            version: number;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            created_at: string;
        };
        SupportThreadsMeta: {
            /** @example 1 */
            current_page: number;
            /**
             * @description 1 when there is nothing
             * @example 3
             */
            last_page: number;
            /** @example 25 */
            per_page: number;
            /** @example 57 */
            total: number;
            /**
             * @description All unread threads, whatever the filters
             * @example 7
             */
            unread: number;
        };
        SupportMessageAuthor: {
            /**
             * Format: uuid
             * @description The account
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string | null;
            /** @example Odile Vauquelin */
            nom: string | null;
        };
        SupportMessage: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            thread_id: string;
            /**
             * @description `outbound`: an answer of an operator, sent by mail
             * @example inbound
             * @enum {string}
             */
            direction: "inbound" | "outbound";
            /**
             * @description Plain text
             * @example Bonjour, la tournée passe de nouveau dès lundi. Merci de nous l’avoir dit !
             */
            body: string;
            author: components["schemas"]["SupportMessageAuthor"];
            /**
             * @description `failed` surely never arrived, `uncertain` may have: both can be sent again. Null: not a mail
             * @example queued
             * @enum {string|null}
             */
            email_status: "queued" | "sending" | "sent" | "failed" | "uncertain" | null;
            /**
             * @description What the mail server said to the last try, without addresses
             * @example 452 4.2.2 Mailbox full
             */
            email_error: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            created_at: string;
        };
        PlanCount: {
            /** @example commerce */
            plan: string;
            /** @example Commerce */
            label: string;
            /**
             * @description Subscriptions that are active or on trial
             * @example 42
             */
            active: number;
        };
        PaymentEventLine: {
            /** @example evt_1R9zQ2 */
            event_id: string;
            /** @example customer.subscription.updated */
            type: string;
            /**
             * @example received
             * @enum {string}
             */
            status: "received" | "processed" | "ignored" | "failed";
            /**
             * @description Why the last try failed
             * @example it names no subscription
             */
            error: string | null;
            /**
             * Format: date-time
             * @description When it was received
             * @example 2026-11-20T08:30:00.000Z
             */
            at: string;
        };
        SubscriptionLogs: {
            /**
             * @description Events whose effect could not be applied
             * @example 0
             */
            failed: number;
            /**
             * Format: date-time
             * @description Of the events that wait for their effect
             * @example 2026-11-20T08:30:00.000Z
             */
            oldest_unprocessed_at: string | null;
            /** @description The last ten, newest first */
            latest: components["schemas"]["PaymentEventLine"][];
        };
        Dashboard: {
            /**
             * @description Not deleted
             * @example 1204
             */
            publications?: number;
            /**
             * @description Of those, pending
             * @example 12
             */
            publications_pending?: number;
            /**
             * @description Of those, with an open report of a reader
             * @example 3
             */
            publications_reported?: number;
            /**
             * @description Not deleted
             * @example 312
             */
            acteurs?: number;
            /**
             * @description Active
             * @example 458
             */
            users?: number;
            subscription_plans?: components["schemas"]["PlanCount"][];
            subscription_logs?: components["schemas"]["SubscriptionLogs"];
        };
        AuditRow: {
            /**
             * Format: uuid
             * @description Identifier
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            id: string;
            /**
             * Format: date-time
             * @example 2026-11-20T08:30:00.000Z
             */
            at: string;
            /**
             * Format: uuid
             * @description Who did it; null for a command, a job, or somebody not signed in
             * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
             */
            user_id: string | null;
            /** @example commune.update */
            action: string;
            /** @example commune */
            entity: string;
            /** @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e */
            entity_id: string;
            /**
             * @example {
             *       "population": 512
             *     }
             */
            before: {
                [key: string]: unknown;
            } | null;
            /**
             * @example {
             *       "population": 512
             *     }
             */
            after: {
                [key: string]: unknown;
            } | null;
            /** @example backoffice */
            app_source: string | null;
            /** @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e */
            request_id: string | null;
        };
    };
    responses: {
        /** @description `missing_app_source`: The X-App-Source header is required. */
        MissingAppSource: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "missing_app_source",
                 *       "message": "The X-App-Source header is required."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "missing_app_source";
                };
            };
        };
        /** @description `scope_violation`: This lies outside what the application or the account may reach. */
        ScopeViolation: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "scope_violation",
                 *       "message": "This lies outside what the application or the account may reach."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "scope_violation";
                };
            };
        };
        /** @description `internal_error`: Something went wrong on our side. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "internal_error",
                 *       "message": "Something went wrong on our side."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "internal_error";
                };
            };
        };
        /** @description `unavailable`: The service is briefly unavailable: try again soon. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "unavailable",
                 *       "message": "The service is briefly unavailable: try again soon."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "unavailable";
                };
            };
        };
        /** @description `not_found`: There is nothing here. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "not_found",
                 *       "message": "There is nothing here."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "not_found";
                };
            };
        };
        /** @description `unauthenticated`: A valid access token is required. */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "unauthenticated",
                 *       "message": "A valid access token is required."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "unauthenticated";
                };
            };
        };
        /**
         * @description `scope_violation`: This lies outside what the application or the account may reach.
         *
         *     `admin_required`: This needs an administrator role that opens this area.
         */
        ScopeViolationOrAdminRequired: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "scope_violation",
                 *       "message": "This lies outside what the application or the account may reach."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "scope_violation" | "admin_required";
                };
            };
        };
        /**
         * @description `missing_app_source`: The X-App-Source header is required.
         *
         *     `malformed_request`: The request could not be read.
         */
        MissingAppSourceOrMalformedRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "missing_app_source",
                 *       "message": "The X-App-Source header is required."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "missing_app_source" | "malformed_request";
                };
            };
        };
        /**
         * @description `conflict`: This conflicts with the present state of the record.
         *
         *     `slug_taken`: This slug is already taken.
         */
        ConflictOrSlugTaken: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "conflict",
                 *       "message": "This conflicts with the present state of the record."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "conflict" | "slug_taken";
                };
            };
        };
        /** @description `payload_too_large`: The request is too large. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "payload_too_large",
                 *       "message": "The request is too large."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "payload_too_large";
                };
            };
        };
        /** @description `unsupported_media_type`: The body must be application/json. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "unsupported_media_type",
                 *       "message": "The body must be application/json."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "unsupported_media_type";
                };
            };
        };
        /** @description `precondition_failed`: The record has changed since the version you name. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "precondition_failed",
                 *       "message": "The record has changed since the version you name."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "precondition_failed";
                };
            };
        };
        /** @description `malformed_request`: The request could not be read. */
        MalformedRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "malformed_request",
                 *       "message": "The request could not be read."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "malformed_request";
                };
            };
        };
        /**
         * @description `scope_violation`: This lies outside what the application or the account may reach.
         *
         *     `forbidden`: You are not allowed to do this.
         */
        ScopeViolationOrForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "scope_violation",
                 *       "message": "This lies outside what the application or the account may reach."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "scope_violation" | "forbidden";
                };
            };
        };
        /** @description `conflict`: This conflicts with the present state of the record. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "conflict",
                 *       "message": "This conflicts with the present state of the record."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "conflict";
                };
            };
        };
        /** @description `rate_limited`: Too many requests: try again later. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "rate_limited",
                 *       "message": "Too many requests: try again later."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "rate_limited";
                };
            };
        };
        /**
         * @description `sync_in_progress`: A synchronisation is in progress already.
         *
         *     `conflict`: This conflicts with the present state of the record.
         */
        SyncInProgressOrConflict: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "sync_in_progress",
                 *       "message": "A synchronisation is in progress already."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "sync_in_progress" | "conflict";
                };
            };
        };
        /**
         * @description `claim_conflict`: A claim is already in progress for this acteur.
         *
         *     `conflict`: This conflicts with the present state of the record.
         */
        ClaimConflictOrConflict: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "claim_conflict",
                 *       "message": "A claim is already in progress for this acteur."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "claim_conflict" | "conflict";
                };
            };
        };
        /**
         * @description `scope_violation`: This lies outside what the application or the account may reach.
         *
         *     `admin_required`: This needs an administrator role that opens this area.
         *
         *     `forbidden`: You are not allowed to do this.
         */
        ScopeViolationOrAdminRequiredOrForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "scope_violation",
                 *       "message": "This lies outside what the application or the account may reach."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "scope_violation" | "admin_required" | "forbidden";
                };
            };
        };
        /**
         * @description `claim_already_decided`: This claim is decided.
         *
         *     `conflict`: This conflicts with the present state of the record.
         */
        ClaimAlreadyDecidedOrConflict: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "claim_already_decided",
                 *       "message": "This claim is decided."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "claim_already_decided" | "conflict";
                };
            };
        };
        /** @description `import_in_progress`: An import from this source is under way. */
        ImportInProgress: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "import_in_progress",
                 *       "message": "An import from this source is under way."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "import_in_progress";
                };
            };
        };
        /**
         * @description `conflict`: This conflicts with the present state of the record.
         *
         *     `import_in_progress`: An import from this source is under way.
         */
        ConflictOrImportInProgress: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "conflict",
                 *       "message": "This conflicts with the present state of the record."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "conflict" | "import_in_progress";
                };
            };
        };
        /**
         * @description `conflict`: This conflicts with the present state of the record.
         *
         *     `last_admin`: The last administrator stays.
         */
        ConflictOrLastAdmin: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "conflict",
                 *       "message": "This conflicts with the present state of the record."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "conflict" | "last_admin";
                };
            };
        };
        /** @description `last_admin`: The last administrator stays. */
        LastAdmin: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "last_admin",
                 *       "message": "The last administrator stays."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "last_admin";
                };
            };
        };
        /** @description `invalid_webhook_signature`: The signature is missing, not ours, or too old. */
        InvalidWebhookSignature: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "invalid_webhook_signature",
                 *       "message": "The signature is missing, not ours, or too old."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    error?: "invalid_webhook_signature";
                };
            };
        };
    };
    parameters: {
        /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
        IfMatch: string;
        /** @description The language of error messages: `fr`, else English */
        AcceptLanguage: string;
        /** @description Of your choosing, 1 to 200 visible ASCII characters: the same request sent again within a day gets the same answer, and nothing is done twice */
        IdempotencyKey: string;
        /** @description The `ETag` of the answer that the caller has already: 304 when it is still so */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Tells this answer, or this version of the record, from every other
         * @example "3"
         */
        ETag: string;
        /**
         * @description Names this request, also in the logs of the service
         * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
         */
        RequestId: string;
        /**
         * @description After how many seconds to try again
         * @example 5
         */
        RetryAfter: number;
        /**
         * @description How to sign in
         * @example Bearer
         */
        WWWAuthenticate: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listCommunes: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 15 */
                per_page?: number;
                /** @description Beginning of the name or of a word of it, whatever its accents and case, `st` and `ste` read as saint and sainte too, also of a former commune; or of a postal or INSEE code. The very name comes first, then names that begin so, then the rest; in each, more people first */
                q?: string;
                /** @description Code of a département */
                departement?: string;
                /** @description INSEE code; that of a former commune leads to the present one */
                code_insee?: string;
            };
            header?: {
                /** @description The `ETag` of the answer that the caller has already: 304 when it is still so */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "chambery",
                     *           "nom": "Chambéry",
                     *           "code_insee": "73065",
                     *           "codes_postaux": [
                     *             "73000"
                     *           ],
                     *           "departement": "73"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "per_page": 15
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CommuneListed"][];
                        meta: {
                            /** @example 1 */
                            page: number;
                            /** @example 15 */
                            per_page: number;
                        };
                    };
                };
            };
            /** @description It is still as the caller has it. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MissingAppSource"];
            403: components["responses"]["ScopeViolation"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCommune: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the answer that the caller has already: 304 when it is still so */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Slug of the commune, or its identifier
                 * @example chambery
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "chambery",
                     *         "nom": "Chambéry",
                     *         "code_insee": "73065",
                     *         "codes_postaux": [
                     *           "73000"
                     *         ],
                     *         "departement": "73",
                     *         "region": "84",
                     *         "population": 59856,
                     *         "latitude": 45.5646,
                     *         "longitude": 5.9178,
                     *         "mairie_actor_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Commune"];
                    };
                };
            };
            /** @description It is still as the caller has it. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MissingAppSource"];
            403: components["responses"]["ScopeViolation"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listElus: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the answer that the caller has already: 304 when it is still so */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the commune
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Vauquelin",
                     *           "prenom": "Odile",
                     *           "fonction": "Maire",
                     *           "ordre": 1,
                     *           "photo_url": "https://mairie.example/elus/vauquelin.jpg",
                     *           "mandat_debut": "2026-11-20"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Elu"][];
                    };
                };
            };
            /** @description It is still as the caller has it. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MissingAppSource"];
            403: components["responses"]["ScopeViolation"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCollectes: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the answer that the caller has already: 304 when it is still so */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the commune
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "type_dechet": "emballages",
                     *           "libelle": "Bac jaune",
                     *           "secteur": "Centre",
                     *           "mode": "porte_a_porte",
                     *           "jours": [
                     *             "mardi"
                     *           ],
                     *           "toutes_les_semaines": 2,
                     *           "a_partir_du": "2026-11-20",
                     *           "dates": [],
                     *           "exceptions": [
                     *             {
                     *               "date": "2026-12-25",
                     *               "reportee_au": "2026-12-26"
                     *             }
                     *           ],
                     *           "consignes": "À sortir la veille au soir.",
                     *           "prochaines": [
                     *             "2026-11-24",
                     *             "2026-12-08",
                     *             "2026-12-22",
                     *             "2027-01-05",
                     *             "2027-01-19"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Collecte"][];
                    };
                };
            };
            /** @description It is still as the caller has it. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MissingAppSource"];
            403: components["responses"]["ScopeViolation"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getInfos: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the answer that the caller has already: 304 when it is still so */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the commune
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "adresse": "Place de l'Hôtel-de-Ville, 73000 Chambéry",
                     *         "telephone": "04 65 71 00 00",
                     *         "email": "mairie@chambery.example",
                     *         "site_web": "https://www.chambery.example",
                     *         "sources": {
                     *           "adresse": "mairie",
                     *           "telephone": "mairie",
                     *           "email": "mairie",
                     *           "site_web": "mairie"
                     *         },
                     *         "complements": [
                     *           {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "cle": "horaires",
                     *             "libelle": "Horaires",
                     *             "valeur": "Lundi au vendredi, 8 h 30 – 17 h",
                     *             "position": 1
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CommuneInfos"];
                    };
                };
            };
            /** @description It is still as the caller has it. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MissingAppSource"];
            403: components["responses"]["ScopeViolation"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listManagedCommunes: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 25 */
                per_page?: number;
                /** @description Default: `nom_asc` */
                sort?: "nom_asc" | "nom_desc" | "population_asc" | "population_desc" | "code_insee_asc" | "code_insee_desc";
                /** @description Only these, separated by commas */
                ids?: string[];
                /** @description Beginning of the name or of a word of it, whatever its accents and case, `st` and `ste` read as saint and sainte too, also of a former commune; or of a postal or INSEE code. The very name comes first, then names that begin so, then the rest; in each, more people first */
                q?: string;
                /** @description Code of a département */
                departement?: string;
                /** @description INSEE code; that of a former commune leads to the present one */
                code_insee?: string;
                /** @description With a mairie, or without */
                mairie?: boolean[];
            };
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "chambery",
                     *           "nom": "Chambéry",
                     *           "code_insee": "73065",
                     *           "codes_postaux": [
                     *             "73000"
                     *           ],
                     *           "departement": "73",
                     *           "region": "84",
                     *           "population": 59856,
                     *           "latitude": 45.5646,
                     *           "longitude": 5.9178,
                     *           "mairie_actor_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "version": 1,
                     *           "created_at": "2026-11-20T08:30:00.000Z",
                     *           "updated_at": "2026-11-20T08:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ManagedCommune"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCommune: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choosing, 1 to 200 visible ASCII characters: the same request sent again within a day gets the same answer, and nothing is done twice */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "nom": "Chambéry",
                 *       "code_insee": "73065",
                 *       "slug": "text",
                 *       "codes_postaux": [
                 *         "73000"
                 *       ],
                 *       "departement": "73",
                 *       "region": "84",
                 *       "population": 59856,
                 *       "latitude": 45.5646,
                 *       "longitude": 5.9178,
                 *       "mairie_actor_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *       "elus": [
                 *         {
                 *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *           "nom": "Vauquelin",
                 *           "prenom": "Odile",
                 *           "fonction": "Maire",
                 *           "ordre": 1,
                 *           "photo_url": "https://mairie.example/photo.jpg",
                 *           "mandat_debut": "2026-11-20"
                 *         }
                 *       ],
                 *       "collectes": [
                 *         {
                 *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *           "type_dechet": "emballages",
                 *           "libelle": "Bac jaune",
                 *           "secteur": "Centre",
                 *           "mode": "porte_a_porte",
                 *           "jours": [
                 *             "mardi"
                 *           ],
                 *           "toutes_les_semaines": 2,
                 *           "a_partir_du": "2026-11-20",
                 *           "dates": [],
                 *           "exceptions": [],
                 *           "consignes": "À sortir la veille au soir."
                 *         }
                 *       ],
                 *       "infos": [
                 *         {
                 *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *           "cle": "horaires",
                 *           "libelle": "Horaires",
                 *           "valeur": "Lundi au vendredi, 8 h 30 – 17 h",
                 *           "position": 1
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @example Chambéry */
                    nom: string;
                    /** @example 73065 */
                    code_insee: string;
                    /** @description Default: from the name */
                    slug?: string;
                    /**
                     * @example [
                     *       "73000"
                     *     ]
                     */
                    codes_postaux?: string[];
                    /**
                     * @description Default: from the INSEE code
                     * @example 73
                     */
                    departement?: string;
                    /**
                     * @description Default: that of the département's communes
                     * @example 84
                     */
                    region?: string;
                    /** @example 59856 */
                    population?: number | null;
                    /** @example 45.5646 */
                    latitude?: number | null;
                    /** @example 5.9178 */
                    longitude?: number | null;
                    /**
                     * Format: uuid
                     * @description An acteur of type mairie
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    mairie_actor_id?: string | null;
                    /** @description Replaced whole when given */
                    elus?: {
                        /**
                         * Format: uuid
                         * @description Identifier of a row that stays; left out for a new one
                         * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                         */
                        id?: string;
                        /** @example Vauquelin */
                        nom: string;
                        /** @example Odile */
                        prenom: string;
                        /** @example Maire */
                        fonction: string;
                        /** @description Default: the place in the list */
                        ordre?: number;
                        /**
                         * Format: url
                         * @example https://mairie.example/photo.jpg
                         */
                        photo_url?: string | null;
                        /**
                         * Format: date
                         * @example 2026-11-20
                         */
                        mandat_debut?: string | null;
                    }[];
                    /** @description Replaced whole when given */
                    collectes?: {
                        /**
                         * Format: uuid
                         * @description Identifier of a row that stays; left out for a new one
                         * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                         */
                        id?: string;
                        /** @example emballages */
                        type_dechet: string;
                        /** @example Bac jaune */
                        libelle: string;
                        /** @example Centre */
                        secteur?: string | null;
                        /**
                         * @example porte_a_porte
                         * @enum {string}
                         */
                        mode: "porte_a_porte" | "apport_volontaire";
                        /**
                         * @example [
                         *       "mardi"
                         *     ]
                         */
                        jours?: ("lundi" | "mardi" | "mercredi" | "jeudi" | "vendredi" | "samedi" | "dimanche")[];
                        /** @example 2 */
                        toutes_les_semaines?: number;
                        /**
                         * Format: date
                         * @description Needed when the weeks are counted by more than one
                         * @example 2026-11-20
                         */
                        a_partir_du?: string | null;
                        /** @example [] */
                        dates?: string[];
                        /** @example [] */
                        exceptions?: {
                            /**
                             * Format: date
                             * @example 2026-11-20
                             */
                            date: string;
                            /**
                             * Format: date
                             * @example 2026-11-20
                             */
                            reportee_au: string | null;
                        }[];
                        /** @example À sortir la veille au soir. */
                        consignes?: string | null;
                    }[];
                    /** @description Replaced whole when given */
                    infos?: {
                        /**
                         * Format: uuid
                         * @description Identifier of a row that stays; left out for a new one
                         * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                         */
                        id?: string;
                        /** @example horaires */
                        cle: string;
                        /** @example Horaires */
                        libelle: string;
                        /** @example Lundi au vendredi, 8 h 30 – 17 h */
                        valeur: string;
                        /** @description Default: the place in the list */
                        position?: number;
                    }[];
                };
            };
        };
        responses: {
            /** @description It was made */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "chambery",
                     *         "nom": "Chambéry",
                     *         "code_insee": "73065",
                     *         "codes_postaux": [
                     *           "73000"
                     *         ],
                     *         "departement": "73",
                     *         "region": "84",
                     *         "population": 59856,
                     *         "latitude": 45.5646,
                     *         "longitude": 5.9178,
                     *         "mairie_actor_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "version": 1,
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "mairie": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "mairie-de-chambery",
                     *           "nom": "Mairie de Chambéry",
                     *           "active": true,
                     *           "deleted_at": "2026-11-20T08:30:00.000Z",
                     *           "adresse": "Place de l'Hôtel-de-Ville, 73000 Chambéry",
                     *           "telephone": "04 65 71 00 00",
                     *           "email": "mairie@chambery.example",
                     *           "site_web": "https://www.chambery.example"
                     *         },
                     *         "infos": {
                     *           "adresse": "Place de l'Hôtel-de-Ville, 73000 Chambéry",
                     *           "telephone": "04 65 71 00 00",
                     *           "email": "mairie@chambery.example",
                     *           "site_web": "https://www.chambery.example",
                     *           "sources": {
                     *             "adresse": "mairie",
                     *             "telephone": "mairie",
                     *             "email": "mairie",
                     *             "site_web": "mairie"
                     *           },
                     *           "complements": [
                     *             {
                     *               "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *               "cle": "horaires",
                     *               "libelle": "Horaires",
                     *               "valeur": "Lundi au vendredi, 8 h 30 – 17 h",
                     *               "position": 1
                     *             }
                     *           ]
                     *         },
                     *         "commune_infos": [
                     *           {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "cle": "horaires",
                     *             "libelle": "Horaires",
                     *             "valeur": "Lundi au vendredi, 8 h 30 – 17 h",
                     *             "position": 1
                     *           }
                     *         ],
                     *         "elus": [
                     *           {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "nom": "Vauquelin",
                     *             "prenom": "Odile",
                     *             "fonction": "Maire",
                     *             "ordre": 1,
                     *             "photo_url": "https://mairie.example/elus/vauquelin.jpg",
                     *             "mandat_debut": "2026-11-20"
                     *           }
                     *         ],
                     *         "collectes": [
                     *           {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "type_dechet": "emballages",
                     *             "libelle": "Bac jaune",
                     *             "secteur": "Centre",
                     *             "mode": "porte_a_porte",
                     *             "jours": [
                     *               "mardi"
                     *             ],
                     *             "toutes_les_semaines": 2,
                     *             "a_partir_du": "2026-11-20",
                     *             "dates": [],
                     *             "exceptions": [
                     *               {
                     *                 "date": "2026-12-25",
                     *                 "reportee_au": "2026-12-26"
                     *               }
                     *             ],
                     *             "consignes": "À sortir la veille au soir.",
                     *             "prochaines": [
                     *               "2026-11-24",
                     *               "2026-12-08",
                     *               "2026-12-22",
                     *               "2027-01-05",
                     *               "2027-01-19"
                     *             ]
                     *           }
                     *         ],
                     *         "defibrillateurs": [
                     *           {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "gid": "1800",
                     *             "nom": "Mairie",
                     *             "adresse": "1 Place de la Mairie",
                     *             "code_postal": "42000",
                     *             "commune_nom": "Saint-Étienne",
                     *             "code_insee": "42218",
                     *             "latitude": 45.61,
                     *             "longitude": 4.05,
                     *             "acces": "Extérieur",
                     *             "acces_libre": true,
                     *             "etage": "0",
                     *             "acces_complement": "Entrée principale",
                     *             "disponibilite": "Mo-Fr 08:00-18:00",
                     *             "disponibilite_complement": "Fermé pendant les vacances scolaires",
                     *             "etat_fonctionnement": "En fonctionnement",
                     *             "photo_url": "https://photos.example/dae/1800.jpg",
                     *             "date_installation": "2026-11-20",
                     *             "mis_a_jour_le": "2026-11-20T08:30:00.000Z",
                     *             "ouvert": true,
                     *             "statut_admin": "actif",
                     *             "note": "Vu sur place le 12 mai",
                     *             "statut_admin_commune": "actif",
                     *             "statut_admin_france": "actif",
                     *             "absent_depuis": "2026-11-20T08:30:00.000Z",
                     *             "version": 1
                     *           }
                     *         ],
                     *         "counts": {
                     *           "publications": 120,
                     *           "acteurs": 42,
                     *           "claims_pending": 1,
                     *           "defibrillateurs": 12
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CommuneFull"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            409: components["responses"]["ConflictOrSlugTaken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "nom",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCommune: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the commune
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "nom": "Chambéry",
                 *       "code_insee": "73065",
                 *       "slug": "text",
                 *       "codes_postaux": [
                 *         "73000"
                 *       ],
                 *       "departement": "73",
                 *       "region": "84",
                 *       "population": 59856,
                 *       "latitude": 45.5646,
                 *       "longitude": 5.9178,
                 *       "mairie_actor_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *       "elus": [
                 *         {
                 *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *           "nom": "Vauquelin",
                 *           "prenom": "Odile",
                 *           "fonction": "Maire",
                 *           "ordre": 1,
                 *           "photo_url": "https://mairie.example/photo.jpg",
                 *           "mandat_debut": "2026-11-20"
                 *         }
                 *       ],
                 *       "collectes": [
                 *         {
                 *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *           "type_dechet": "emballages",
                 *           "libelle": "Bac jaune",
                 *           "secteur": "Centre",
                 *           "mode": "porte_a_porte",
                 *           "jours": [
                 *             "mardi"
                 *           ],
                 *           "toutes_les_semaines": 2,
                 *           "a_partir_du": "2026-11-20",
                 *           "dates": [],
                 *           "exceptions": [],
                 *           "consignes": "À sortir la veille au soir."
                 *         }
                 *       ],
                 *       "infos": [
                 *         {
                 *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *           "cle": "horaires",
                 *           "libelle": "Horaires",
                 *           "valeur": "Lundi au vendredi, 8 h 30 – 17 h",
                 *           "position": 1
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @example Chambéry */
                    nom?: string;
                    /** @example 73065 */
                    code_insee?: string;
                    /** @description Default: from the name */
                    slug?: string;
                    /**
                     * @example [
                     *       "73000"
                     *     ]
                     */
                    codes_postaux?: string[];
                    /**
                     * @description Default: from the INSEE code
                     * @example 73
                     */
                    departement?: string;
                    /**
                     * @description Default: that of the département's communes
                     * @example 84
                     */
                    region?: string;
                    /** @example 59856 */
                    population?: number | null;
                    /** @example 45.5646 */
                    latitude?: number | null;
                    /** @example 5.9178 */
                    longitude?: number | null;
                    /**
                     * Format: uuid
                     * @description An acteur of type mairie
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    mairie_actor_id?: string | null;
                    /** @description Replaced whole when given */
                    elus?: {
                        /**
                         * Format: uuid
                         * @description Identifier of a row that stays; left out for a new one
                         * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                         */
                        id?: string;
                        /** @example Vauquelin */
                        nom: string;
                        /** @example Odile */
                        prenom: string;
                        /** @example Maire */
                        fonction: string;
                        /** @description Default: the place in the list */
                        ordre?: number;
                        /**
                         * Format: url
                         * @example https://mairie.example/photo.jpg
                         */
                        photo_url?: string | null;
                        /**
                         * Format: date
                         * @example 2026-11-20
                         */
                        mandat_debut?: string | null;
                    }[];
                    /** @description Replaced whole when given */
                    collectes?: {
                        /**
                         * Format: uuid
                         * @description Identifier of a row that stays; left out for a new one
                         * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                         */
                        id?: string;
                        /** @example emballages */
                        type_dechet: string;
                        /** @example Bac jaune */
                        libelle: string;
                        /** @example Centre */
                        secteur?: string | null;
                        /**
                         * @example porte_a_porte
                         * @enum {string}
                         */
                        mode: "porte_a_porte" | "apport_volontaire";
                        /**
                         * @example [
                         *       "mardi"
                         *     ]
                         */
                        jours?: ("lundi" | "mardi" | "mercredi" | "jeudi" | "vendredi" | "samedi" | "dimanche")[];
                        /** @example 2 */
                        toutes_les_semaines?: number;
                        /**
                         * Format: date
                         * @description Needed when the weeks are counted by more than one
                         * @example 2026-11-20
                         */
                        a_partir_du?: string | null;
                        /** @example [] */
                        dates?: string[];
                        /** @example [] */
                        exceptions?: {
                            /**
                             * Format: date
                             * @example 2026-11-20
                             */
                            date: string;
                            /**
                             * Format: date
                             * @example 2026-11-20
                             */
                            reportee_au: string | null;
                        }[];
                        /** @example À sortir la veille au soir. */
                        consignes?: string | null;
                    }[];
                    /** @description Replaced whole when given */
                    infos?: {
                        /**
                         * Format: uuid
                         * @description Identifier of a row that stays; left out for a new one
                         * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                         */
                        id?: string;
                        /** @example horaires */
                        cle: string;
                        /** @example Horaires */
                        libelle: string;
                        /** @example Lundi au vendredi, 8 h 30 – 17 h */
                        valeur: string;
                        /** @description Default: the place in the list */
                        position?: number;
                    }[];
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "chambery",
                     *         "nom": "Chambéry",
                     *         "code_insee": "73065",
                     *         "codes_postaux": [
                     *           "73000"
                     *         ],
                     *         "departement": "73",
                     *         "region": "84",
                     *         "population": 59856,
                     *         "latitude": 45.5646,
                     *         "longitude": 5.9178,
                     *         "mairie_actor_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "version": 1,
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "mairie": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "mairie-de-chambery",
                     *           "nom": "Mairie de Chambéry",
                     *           "active": true,
                     *           "deleted_at": "2026-11-20T08:30:00.000Z",
                     *           "adresse": "Place de l'Hôtel-de-Ville, 73000 Chambéry",
                     *           "telephone": "04 65 71 00 00",
                     *           "email": "mairie@chambery.example",
                     *           "site_web": "https://www.chambery.example"
                     *         },
                     *         "infos": {
                     *           "adresse": "Place de l'Hôtel-de-Ville, 73000 Chambéry",
                     *           "telephone": "04 65 71 00 00",
                     *           "email": "mairie@chambery.example",
                     *           "site_web": "https://www.chambery.example",
                     *           "sources": {
                     *             "adresse": "mairie",
                     *             "telephone": "mairie",
                     *             "email": "mairie",
                     *             "site_web": "mairie"
                     *           },
                     *           "complements": [
                     *             {
                     *               "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *               "cle": "horaires",
                     *               "libelle": "Horaires",
                     *               "valeur": "Lundi au vendredi, 8 h 30 – 17 h",
                     *               "position": 1
                     *             }
                     *           ]
                     *         },
                     *         "commune_infos": [
                     *           {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "cle": "horaires",
                     *             "libelle": "Horaires",
                     *             "valeur": "Lundi au vendredi, 8 h 30 – 17 h",
                     *             "position": 1
                     *           }
                     *         ],
                     *         "elus": [
                     *           {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "nom": "Vauquelin",
                     *             "prenom": "Odile",
                     *             "fonction": "Maire",
                     *             "ordre": 1,
                     *             "photo_url": "https://mairie.example/elus/vauquelin.jpg",
                     *             "mandat_debut": "2026-11-20"
                     *           }
                     *         ],
                     *         "collectes": [
                     *           {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "type_dechet": "emballages",
                     *             "libelle": "Bac jaune",
                     *             "secteur": "Centre",
                     *             "mode": "porte_a_porte",
                     *             "jours": [
                     *               "mardi"
                     *             ],
                     *             "toutes_les_semaines": 2,
                     *             "a_partir_du": "2026-11-20",
                     *             "dates": [],
                     *             "exceptions": [
                     *               {
                     *                 "date": "2026-12-25",
                     *                 "reportee_au": "2026-12-26"
                     *               }
                     *             ],
                     *             "consignes": "À sortir la veille au soir.",
                     *             "prochaines": [
                     *               "2026-11-24",
                     *               "2026-12-08",
                     *               "2026-12-22",
                     *               "2027-01-05",
                     *               "2027-01-19"
                     *             ]
                     *           }
                     *         ],
                     *         "defibrillateurs": [
                     *           {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "gid": "1800",
                     *             "nom": "Mairie",
                     *             "adresse": "1 Place de la Mairie",
                     *             "code_postal": "42000",
                     *             "commune_nom": "Saint-Étienne",
                     *             "code_insee": "42218",
                     *             "latitude": 45.61,
                     *             "longitude": 4.05,
                     *             "acces": "Extérieur",
                     *             "acces_libre": true,
                     *             "etage": "0",
                     *             "acces_complement": "Entrée principale",
                     *             "disponibilite": "Mo-Fr 08:00-18:00",
                     *             "disponibilite_complement": "Fermé pendant les vacances scolaires",
                     *             "etat_fonctionnement": "En fonctionnement",
                     *             "photo_url": "https://photos.example/dae/1800.jpg",
                     *             "date_installation": "2026-11-20",
                     *             "mis_a_jour_le": "2026-11-20T08:30:00.000Z",
                     *             "ouvert": true,
                     *             "statut_admin": "actif",
                     *             "note": "Vu sur place le 12 mai",
                     *             "statut_admin_commune": "actif",
                     *             "statut_admin_france": "actif",
                     *             "absent_depuis": "2026-11-20T08:30:00.000Z",
                     *             "version": 1
                     *           }
                     *         ],
                     *         "counts": {
                     *           "publications": 120,
                     *           "acteurs": 42,
                     *           "claims_pending": 1,
                     *           "defibrillateurs": 12
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CommuneFull"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrSlugTaken"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "nom",
                     *           "message": "is not valid"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCommuneFull: {
        parameters: {
            query?: never;
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the commune
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "chambery",
                     *         "nom": "Chambéry",
                     *         "code_insee": "73065",
                     *         "codes_postaux": [
                     *           "73000"
                     *         ],
                     *         "departement": "73",
                     *         "region": "84",
                     *         "population": 59856,
                     *         "latitude": 45.5646,
                     *         "longitude": 5.9178,
                     *         "mairie_actor_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "version": 1,
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "mairie": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "mairie-de-chambery",
                     *           "nom": "Mairie de Chambéry",
                     *           "active": true,
                     *           "deleted_at": "2026-11-20T08:30:00.000Z",
                     *           "adresse": "Place de l'Hôtel-de-Ville, 73000 Chambéry",
                     *           "telephone": "04 65 71 00 00",
                     *           "email": "mairie@chambery.example",
                     *           "site_web": "https://www.chambery.example"
                     *         },
                     *         "infos": {
                     *           "adresse": "Place de l'Hôtel-de-Ville, 73000 Chambéry",
                     *           "telephone": "04 65 71 00 00",
                     *           "email": "mairie@chambery.example",
                     *           "site_web": "https://www.chambery.example",
                     *           "sources": {
                     *             "adresse": "mairie",
                     *             "telephone": "mairie",
                     *             "email": "mairie",
                     *             "site_web": "mairie"
                     *           },
                     *           "complements": [
                     *             {
                     *               "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *               "cle": "horaires",
                     *               "libelle": "Horaires",
                     *               "valeur": "Lundi au vendredi, 8 h 30 – 17 h",
                     *               "position": 1
                     *             }
                     *           ]
                     *         },
                     *         "commune_infos": [
                     *           {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "cle": "horaires",
                     *             "libelle": "Horaires",
                     *             "valeur": "Lundi au vendredi, 8 h 30 – 17 h",
                     *             "position": 1
                     *           }
                     *         ],
                     *         "elus": [
                     *           {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "nom": "Vauquelin",
                     *             "prenom": "Odile",
                     *             "fonction": "Maire",
                     *             "ordre": 1,
                     *             "photo_url": "https://mairie.example/elus/vauquelin.jpg",
                     *             "mandat_debut": "2026-11-20"
                     *           }
                     *         ],
                     *         "collectes": [
                     *           {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "type_dechet": "emballages",
                     *             "libelle": "Bac jaune",
                     *             "secteur": "Centre",
                     *             "mode": "porte_a_porte",
                     *             "jours": [
                     *               "mardi"
                     *             ],
                     *             "toutes_les_semaines": 2,
                     *             "a_partir_du": "2026-11-20",
                     *             "dates": [],
                     *             "exceptions": [
                     *               {
                     *                 "date": "2026-12-25",
                     *                 "reportee_au": "2026-12-26"
                     *               }
                     *             ],
                     *             "consignes": "À sortir la veille au soir.",
                     *             "prochaines": [
                     *               "2026-11-24",
                     *               "2026-12-08",
                     *               "2026-12-22",
                     *               "2027-01-05",
                     *               "2027-01-19"
                     *             ]
                     *           }
                     *         ],
                     *         "defibrillateurs": [
                     *           {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "gid": "1800",
                     *             "nom": "Mairie",
                     *             "adresse": "1 Place de la Mairie",
                     *             "code_postal": "42000",
                     *             "commune_nom": "Saint-Étienne",
                     *             "code_insee": "42218",
                     *             "latitude": 45.61,
                     *             "longitude": 4.05,
                     *             "acces": "Extérieur",
                     *             "acces_libre": true,
                     *             "etage": "0",
                     *             "acces_complement": "Entrée principale",
                     *             "disponibilite": "Mo-Fr 08:00-18:00",
                     *             "disponibilite_complement": "Fermé pendant les vacances scolaires",
                     *             "etat_fonctionnement": "En fonctionnement",
                     *             "photo_url": "https://photos.example/dae/1800.jpg",
                     *             "date_installation": "2026-11-20",
                     *             "mis_a_jour_le": "2026-11-20T08:30:00.000Z",
                     *             "ouvert": true,
                     *             "statut_admin": "actif",
                     *             "note": "Vu sur place le 12 mai",
                     *             "statut_admin_commune": "actif",
                     *             "statut_admin_france": "actif",
                     *             "absent_depuis": "2026-11-20T08:30:00.000Z",
                     *             "version": 1
                     *           }
                     *         ],
                     *         "counts": {
                     *           "publications": 120,
                     *           "acteurs": 42,
                     *           "claims_pending": 1,
                     *           "defibrillateurs": 12
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CommuneFull"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "is not a known field"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPublicationTypes: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the answer that the caller has already: 304 when it is still so */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "evenement",
                     *           "libelle": "Événement"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PublicationType"][];
                    };
                };
            };
            /** @description It is still as the caller has it. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MissingAppSource"];
            403: components["responses"]["ScopeViolation"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPublications: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 15 */
                per_page?: number;
                /** @description Words of title and body, whatever accents and endings; the last may be a beginning */
                q?: string;
                /** @description One of its communes */
                commune_id?: string;
                /** @description Its acteur */
                acteur_id?: string;
                /** @description Its type */
                type_id?: string;
                /** @description Its first day is this one or later */
                date_debut_min?: string;
                /** @description Its first day is this one or earlier */
                date_debut_max?: string;
                /** @description Its last day, or its only one, is this one or later */
                date_fin_min?: string;
                /** @description As an agenda: by first day, what has none last. Default: the newest first. */
                sort?: "date_debut_asc";
            };
            header?: {
                /** @description The `ETag` of the answer that the caller has already: 304 when it is still so */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "fete-de-la-pomme",
                     *           "titre": "Fête de la pomme",
                     *           "title": "Fête de la pomme",
                     *           "body": "<p>Pressage sur la place.</p>",
                     *           "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "date_debut": "2026-11-20",
                     *           "date_fin": "2026-11-20",
                     *           "source_url": "https://croqueurs.example/fete",
                     *           "image_url": "https://croqueurs.example/pomme.jpg",
                     *           "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "acteur": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "nom": "Les Croqueurs de pommes",
                     *             "slug": "croqueurs",
                     *             "type": "association",
                     *             "badge": "Association de l’année"
                     *           },
                     *           "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "commune": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "slug": "bourg-en-bresse",
                     *             "nom": "Bourg-en-Bresse"
                     *           },
                     *           "commune_ids": [
                     *             "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *           ],
                     *           "type": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "slug": "evenement",
                     *             "libelle": "Événement"
                     *           },
                     *           "epingle": true,
                     *           "status": "pending",
                     *           "moderation_status": "pending",
                     *           "valide": true,
                     *           "publie_le": "2026-11-20T08:30:00.000Z",
                     *           "en_avant": true,
                     *           "featured_until": "2026-11-20T08:30:00.000Z",
                     *           "created_at": "2026-11-20T08:30:00.000Z",
                     *           "updated_at": "2026-11-20T08:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57,
                     *         "total_is_at_least": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Publication"][];
                        meta: components["schemas"]["PublicationPageMeta"];
                    };
                };
            };
            /** @description It is still as the caller has it. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MissingAppSource"];
            403: components["responses"]["ScopeViolation"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPublication: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choosing, 1 to 200 visible ASCII characters: the same request sent again within a day gets the same answer, and nothing is done twice */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *       "title": "Fête de la pomme",
                 *       "titre": "Fête de la pomme",
                 *       "body": "<p>Pressage sur la place.</p>",
                 *       "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *       "commune_ids": [
                 *         "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                 *       ],
                 *       "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *       "date_debut": "2026-11-20",
                 *       "date_fin": "2026-11-20",
                 *       "source_url": "https://croqueurs.example/fete",
                 *       "image_url": "https://croqueurs.example/pomme.jpg",
                 *       "publie_le": null
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The acteur that publishes
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    acteur_id: string;
                    /**
                     * @description Plain text
                     * @example Fête de la pomme
                     */
                    title?: string;
                    /**
                     * @description Accepted for `title`: one of the two is needed
                     * @example Fête de la pomme
                     */
                    titre?: string;
                    /**
                     * @description Plain text, or a small subset of HTML: paragraphs, links, lists, emphasis, headings. At most 20 000 characters as they are written, 40 000 with what HTML adds (`&lt;` for `<`), 2 000 tags, and 50 of them within each other.
                     * @example <p>Pressage sur la place.</p>
                     */
                    body: string;
                    /**
                     * Format: uuid
                     * @description The first of its communes; by default the acteur's
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    commune_id?: string | null;
                    /** @description All its communes */
                    commune_ids?: string[];
                    /**
                     * Format: uuid
                     * @description One of the publication types
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    type_id?: string | null;
                    /**
                     * Format: date
                     * @description First day
                     * @example 2026-11-20
                     */
                    date_debut?: string | null;
                    /**
                     * Format: date
                     * @description Last day, not before the first
                     * @example 2026-11-20
                     */
                    date_fin?: string | null;
                    /**
                     * @description An http or https address
                     * @example https://croqueurs.example/fete
                     */
                    source_url?: string | null;
                    /**
                     * @description An http or https address
                     * @example https://croqueurs.example/pomme.jpg
                     */
                    image_url?: string | null;
                    /**
                     * Format: date-time
                     * @description When it is to appear, still to come: for an acteur that may publish, or an administrator
                     * @example null
                     */
                    publie_le?: string | null;
                };
            };
        };
        responses: {
            /** @description It was made */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "fete-de-la-pomme",
                     *         "titre": "Fête de la pomme",
                     *         "title": "Fête de la pomme",
                     *         "body": "<p>Pressage sur la place.</p>",
                     *         "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "date_debut": "2026-11-20",
                     *         "date_fin": "2026-11-20",
                     *         "source_url": "https://croqueurs.example/fete",
                     *         "image_url": "https://croqueurs.example/pomme.jpg",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "acteur": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Les Croqueurs de pommes",
                     *           "slug": "croqueurs",
                     *           "type": "association",
                     *           "badge": "Association de l’année"
                     *         },
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "bourg-en-bresse",
                     *           "nom": "Bourg-en-Bresse"
                     *         },
                     *         "commune_ids": [
                     *           "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *         ],
                     *         "type": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "evenement",
                     *           "libelle": "Événement"
                     *         },
                     *         "epingle": true,
                     *         "status": "pending",
                     *         "moderation_status": "pending",
                     *         "valide": true,
                     *         "publie_le": "2026-11-20T08:30:00.000Z",
                     *         "en_avant": true,
                     *         "featured_until": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "moderation_reason": "Hors sujet",
                     *         "hidden_because": [],
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "reports_open": 0,
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ManagedPublication"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrForbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "acteur_id",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPublication: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the answer that the caller has already: 304 when it is still so */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the publication
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "fete-de-la-pomme",
                     *         "titre": "Fête de la pomme",
                     *         "title": "Fête de la pomme",
                     *         "body": "<p>Pressage sur la place.</p>",
                     *         "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "date_debut": "2026-11-20",
                     *         "date_fin": "2026-11-20",
                     *         "source_url": "https://croqueurs.example/fete",
                     *         "image_url": "https://croqueurs.example/pomme.jpg",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "acteur": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Les Croqueurs de pommes",
                     *           "slug": "croqueurs",
                     *           "type": "association",
                     *           "badge": "Association de l’année"
                     *         },
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "bourg-en-bresse",
                     *           "nom": "Bourg-en-Bresse"
                     *         },
                     *         "commune_ids": [
                     *           "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *         ],
                     *         "type": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "evenement",
                     *           "libelle": "Événement"
                     *         },
                     *         "epingle": true,
                     *         "status": "pending",
                     *         "moderation_status": "pending",
                     *         "valide": true,
                     *         "publie_le": "2026-11-20T08:30:00.000Z",
                     *         "en_avant": true,
                     *         "featured_until": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Publication"];
                    };
                };
            };
            /** @description It is still as the caller has it. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MissingAppSource"];
            403: components["responses"]["ScopeViolation"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deletePublication: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the publication
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "fete-de-la-pomme",
                     *         "titre": "Fête de la pomme",
                     *         "title": "Fête de la pomme",
                     *         "body": "<p>Pressage sur la place.</p>",
                     *         "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "date_debut": "2026-11-20",
                     *         "date_fin": "2026-11-20",
                     *         "source_url": "https://croqueurs.example/fete",
                     *         "image_url": "https://croqueurs.example/pomme.jpg",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "acteur": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Les Croqueurs de pommes",
                     *           "slug": "croqueurs",
                     *           "type": "association",
                     *           "badge": "Association de l’année"
                     *         },
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "bourg-en-bresse",
                     *           "nom": "Bourg-en-Bresse"
                     *         },
                     *         "commune_ids": [
                     *           "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *         ],
                     *         "type": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "evenement",
                     *           "libelle": "Événement"
                     *         },
                     *         "epingle": true,
                     *         "status": "pending",
                     *         "moderation_status": "pending",
                     *         "valide": true,
                     *         "publie_le": "2026-11-20T08:30:00.000Z",
                     *         "en_avant": true,
                     *         "featured_until": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "moderation_reason": "Hors sujet",
                     *         "hidden_because": [],
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "reports_open": 0,
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ManagedPublication"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrForbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "If-Match",
                     *           "message": "must be a version in double quotes, as in \"3\""
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    editPublication: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the publication
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Fête de la pomme",
                 *       "titre": "Fête de la pomme",
                 *       "body": "<p>Pressage sur la place.</p>",
                 *       "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *       "commune_ids": [
                 *         "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                 *       ],
                 *       "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *       "date_debut": "2026-11-20",
                 *       "date_fin": "2026-11-20",
                 *       "source_url": "https://croqueurs.example/fete",
                 *       "image_url": "https://croqueurs.example/pomme.jpg",
                 *       "epingle": true
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Plain text
                     * @example Fête de la pomme
                     */
                    title?: string;
                    /**
                     * @description Accepted for `title`: one of the two is needed
                     * @example Fête de la pomme
                     */
                    titre?: string;
                    /**
                     * @description Plain text, or a small subset of HTML: paragraphs, links, lists, emphasis, headings. At most 20 000 characters as they are written, 40 000 with what HTML adds (`&lt;` for `<`), 2 000 tags, and 50 of them within each other.
                     * @example <p>Pressage sur la place.</p>
                     */
                    body?: string;
                    /**
                     * Format: uuid
                     * @description The first of its communes; by default the acteur's
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    commune_id?: string | null;
                    /** @description All its communes */
                    commune_ids?: string[];
                    /**
                     * Format: uuid
                     * @description One of the publication types
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    type_id?: string | null;
                    /**
                     * Format: date
                     * @description First day
                     * @example 2026-11-20
                     */
                    date_debut?: string | null;
                    /**
                     * Format: date
                     * @description Last day, not before the first
                     * @example 2026-11-20
                     */
                    date_fin?: string | null;
                    /**
                     * @description An http or https address
                     * @example https://croqueurs.example/fete
                     */
                    source_url?: string | null;
                    /**
                     * @description An http or https address
                     * @example https://croqueurs.example/pomme.jpg
                     */
                    image_url?: string | null;
                    /**
                     * @description First in its acteur's own list
                     * @example true
                     */
                    epingle?: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "fete-de-la-pomme",
                     *         "titre": "Fête de la pomme",
                     *         "title": "Fête de la pomme",
                     *         "body": "<p>Pressage sur la place.</p>",
                     *         "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "date_debut": "2026-11-20",
                     *         "date_fin": "2026-11-20",
                     *         "source_url": "https://croqueurs.example/fete",
                     *         "image_url": "https://croqueurs.example/pomme.jpg",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "acteur": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Les Croqueurs de pommes",
                     *           "slug": "croqueurs",
                     *           "type": "association",
                     *           "badge": "Association de l’année"
                     *         },
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "bourg-en-bresse",
                     *           "nom": "Bourg-en-Bresse"
                     *         },
                     *         "commune_ids": [
                     *           "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *         ],
                     *         "type": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "evenement",
                     *           "libelle": "Événement"
                     *         },
                     *         "epingle": true,
                     *         "status": "pending",
                     *         "moderation_status": "pending",
                     *         "valide": true,
                     *         "publie_le": "2026-11-20T08:30:00.000Z",
                     *         "en_avant": true,
                     *         "featured_until": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "moderation_reason": "Hors sujet",
                     *         "hidden_because": [],
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "reports_open": 0,
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ManagedPublication"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrForbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "title",
                     *           "message": "is not valid"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPublicationsOfActeur: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 15 */
                per_page?: number;
                /** @description Words of title and body, whatever accents and endings; the last may be a beginning */
                q?: string;
                /** @description One of its communes */
                commune_id?: string;
                /** @description Its type */
                type_id?: string;
                /** @description Its first day is this one or later */
                date_debut_min?: string;
                /** @description Its first day is this one or earlier */
                date_debut_max?: string;
                /** @description Its last day, or its only one, is this one or later */
                date_fin_min?: string;
                /** @description As an agenda: by first day, what has none last. Default: the newest first. */
                sort?: "date_debut_asc";
            };
            header?: {
                /** @description The `ETag` of the answer that the caller has already: 304 when it is still so */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the acteur
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                acteurId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "fete-de-la-pomme",
                     *           "titre": "Fête de la pomme",
                     *           "title": "Fête de la pomme",
                     *           "body": "<p>Pressage sur la place.</p>",
                     *           "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "date_debut": "2026-11-20",
                     *           "date_fin": "2026-11-20",
                     *           "source_url": "https://croqueurs.example/fete",
                     *           "image_url": "https://croqueurs.example/pomme.jpg",
                     *           "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "acteur": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "nom": "Les Croqueurs de pommes",
                     *             "slug": "croqueurs",
                     *             "type": "association",
                     *             "badge": "Association de l’année"
                     *           },
                     *           "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "commune": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "slug": "bourg-en-bresse",
                     *             "nom": "Bourg-en-Bresse"
                     *           },
                     *           "commune_ids": [
                     *             "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *           ],
                     *           "type": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "slug": "evenement",
                     *             "libelle": "Événement"
                     *           },
                     *           "epingle": true,
                     *           "status": "pending",
                     *           "moderation_status": "pending",
                     *           "valide": true,
                     *           "publie_le": "2026-11-20T08:30:00.000Z",
                     *           "en_avant": true,
                     *           "featured_until": "2026-11-20T08:30:00.000Z",
                     *           "created_at": "2026-11-20T08:30:00.000Z",
                     *           "updated_at": "2026-11-20T08:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57,
                     *         "total_is_at_least": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Publication"][];
                        meta: components["schemas"]["PublicationPageMeta"];
                    };
                };
            };
            /** @description It is still as the caller has it. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MissingAppSource"];
            403: components["responses"]["ScopeViolation"];
            404: components["responses"]["NotFound"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPublicationsOfCommune: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 15 */
                per_page?: number;
                /** @description Words of title and body, whatever accents and endings; the last may be a beginning */
                q?: string;
                /** @description Its acteur */
                acteur_id?: string;
                /** @description Its type */
                type_id?: string;
                /** @description Its first day is this one or later */
                date_debut_min?: string;
                /** @description Its first day is this one or earlier */
                date_debut_max?: string;
                /** @description Its last day, or its only one, is this one or later */
                date_fin_min?: string;
                /** @description As an agenda: by first day, what has none last. Default: the newest first. */
                sort?: "date_debut_asc";
            };
            header?: {
                /** @description The `ETag` of the answer that the caller has already: 304 when it is still so */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the commune
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                communeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "fete-de-la-pomme",
                     *           "titre": "Fête de la pomme",
                     *           "title": "Fête de la pomme",
                     *           "body": "<p>Pressage sur la place.</p>",
                     *           "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "date_debut": "2026-11-20",
                     *           "date_fin": "2026-11-20",
                     *           "source_url": "https://croqueurs.example/fete",
                     *           "image_url": "https://croqueurs.example/pomme.jpg",
                     *           "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "acteur": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "nom": "Les Croqueurs de pommes",
                     *             "slug": "croqueurs",
                     *             "type": "association",
                     *             "badge": "Association de l’année"
                     *           },
                     *           "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "commune": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "slug": "bourg-en-bresse",
                     *             "nom": "Bourg-en-Bresse"
                     *           },
                     *           "commune_ids": [
                     *             "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *           ],
                     *           "type": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "slug": "evenement",
                     *             "libelle": "Événement"
                     *           },
                     *           "epingle": true,
                     *           "status": "pending",
                     *           "moderation_status": "pending",
                     *           "valide": true,
                     *           "publie_le": "2026-11-20T08:30:00.000Z",
                     *           "en_avant": true,
                     *           "featured_until": "2026-11-20T08:30:00.000Z",
                     *           "created_at": "2026-11-20T08:30:00.000Z",
                     *           "updated_at": "2026-11-20T08:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57,
                     *         "total_is_at_least": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Publication"][];
                        meta: components["schemas"]["PublicationPageMeta"];
                    };
                };
            };
            /** @description It is still as the caller has it. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MissingAppSource"];
            403: components["responses"]["ScopeViolation"];
            404: components["responses"]["NotFound"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reportPublication: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choosing, 1 to 200 visible ASCII characters: the same request sent again within a day gets the same answer, and nothing is done twice */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the publication
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Ce numéro n’existe pas",
                 *       "category": "spam",
                 *       "message": "La fête a été annulée."
                 *     }
                 */
                "application/json": {
                    /** @example Ce numéro n’existe pas */
                    reason?: string;
                    /**
                     * @example spam
                     * @enum {string}
                     */
                    category?: "spam" | "inappropriate" | "wrong" | "duplicate" | "other";
                    /** @example La fête a été annulée. */
                    message?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description It was made */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "status": "received"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PublicationReportReceipt"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolation"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "reason",
                     *           "message": "is not valid"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    moderatePublication: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the publication
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "moderation_status": "published",
                 *       "reason": "Relu et validé"
                 *     }
                 */
                "application/json": {
                    /**
                     * @example pending
                     * @enum {string}
                     */
                    moderation_status: "pending" | "approved" | "published" | "rejected";
                    /**
                     * @description Shown to administrators, moderators and members of the acteur
                     * @example Hors sujet
                     */
                    reason?: string | null;
                    /**
                     * Format: date-time
                     * @description With `approved` alone: when it is to appear; null takes it off the schedule. Never moved once past.
                     * @example 2026-11-20T08:30:00.000Z
                     */
                    publie_le?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "fete-de-la-pomme",
                     *         "titre": "Fête de la pomme",
                     *         "title": "Fête de la pomme",
                     *         "body": "<p>Pressage sur la place.</p>",
                     *         "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "date_debut": "2026-11-20",
                     *         "date_fin": "2026-11-20",
                     *         "source_url": "https://croqueurs.example/fete",
                     *         "image_url": "https://croqueurs.example/pomme.jpg",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "acteur": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Les Croqueurs de pommes",
                     *           "slug": "croqueurs",
                     *           "type": "association",
                     *           "badge": "Association de l’année"
                     *         },
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "bourg-en-bresse",
                     *           "nom": "Bourg-en-Bresse"
                     *         },
                     *         "commune_ids": [
                     *           "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *         ],
                     *         "type": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "evenement",
                     *           "libelle": "Événement"
                     *         },
                     *         "epingle": true,
                     *         "status": "pending",
                     *         "moderation_status": "pending",
                     *         "valide": true,
                     *         "publie_le": "2026-11-20T08:30:00.000Z",
                     *         "en_avant": true,
                     *         "featured_until": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "moderation_reason": "Hors sujet",
                     *         "hidden_because": [],
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "reports_open": 0,
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ManagedPublication"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrForbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "moderation_status",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMyPublications: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 25 */
                per_page?: number;
                /** @description Default: `created_at_desc` */
                sort?: "created_at_asc" | "created_at_desc" | "updated_at_asc" | "updated_at_desc" | "publie_le_asc" | "publie_le_desc" | "date_debut_asc" | "date_debut_desc" | "titre_asc" | "titre_desc";
                /** @description Words of title and body, whatever accents, case and endings; the last may be a beginning */
                q?: string;
                /** @description Attached to this commune */
                commune_id?: string;
                /** @description Of this acteur */
                acteur_id?: string;
                /** @description Of one of these types */
                type_id?: string[];
                /** @description In one of these states */
                moderation_status?: ("pending" | "approved" | "published" | "rejected")[];
            };
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "fete-de-la-pomme",
                     *           "titre": "Fête de la pomme",
                     *           "title": "Fête de la pomme",
                     *           "body": "<p>Pressage sur la place.</p>",
                     *           "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "date_debut": "2026-11-20",
                     *           "date_fin": "2026-11-20",
                     *           "source_url": "https://croqueurs.example/fete",
                     *           "image_url": "https://croqueurs.example/pomme.jpg",
                     *           "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "acteur": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "nom": "Les Croqueurs de pommes",
                     *             "slug": "croqueurs",
                     *             "type": "association",
                     *             "badge": "Association de l’année"
                     *           },
                     *           "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "commune": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "slug": "bourg-en-bresse",
                     *             "nom": "Bourg-en-Bresse"
                     *           },
                     *           "commune_ids": [
                     *             "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *           ],
                     *           "type": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "slug": "evenement",
                     *             "libelle": "Événement"
                     *           },
                     *           "epingle": true,
                     *           "status": "pending",
                     *           "moderation_status": "pending",
                     *           "valide": true,
                     *           "publie_le": "2026-11-20T08:30:00.000Z",
                     *           "en_avant": true,
                     *           "featured_until": "2026-11-20T08:30:00.000Z",
                     *           "created_at": "2026-11-20T08:30:00.000Z",
                     *           "updated_at": "2026-11-20T08:30:00.000Z",
                     *           "moderation_reason": "Hors sujet",
                     *           "hidden_because": [],
                     *           "deleted_at": "2026-11-20T08:30:00.000Z",
                     *           "reports_open": 0,
                     *           "version": 1
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ManagedPublication"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolation"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMyPublication: {
        parameters: {
            query?: never;
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the publication
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "fete-de-la-pomme",
                     *         "titre": "Fête de la pomme",
                     *         "title": "Fête de la pomme",
                     *         "body": "<p>Pressage sur la place.</p>",
                     *         "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "date_debut": "2026-11-20",
                     *         "date_fin": "2026-11-20",
                     *         "source_url": "https://croqueurs.example/fete",
                     *         "image_url": "https://croqueurs.example/pomme.jpg",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "acteur": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Les Croqueurs de pommes",
                     *           "slug": "croqueurs",
                     *           "type": "association",
                     *           "badge": "Association de l’année"
                     *         },
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "bourg-en-bresse",
                     *           "nom": "Bourg-en-Bresse"
                     *         },
                     *         "commune_ids": [
                     *           "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *         ],
                     *         "type": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "evenement",
                     *           "libelle": "Événement"
                     *         },
                     *         "epingle": true,
                     *         "status": "pending",
                     *         "moderation_status": "pending",
                     *         "valide": true,
                     *         "publie_le": "2026-11-20T08:30:00.000Z",
                     *         "en_avant": true,
                     *         "featured_until": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "moderation_reason": "Hors sujet",
                     *         "hidden_because": [],
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "reports_open": 0,
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ManagedPublication"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolation"];
            404: components["responses"]["NotFound"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "is not a known field"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMairiePublications: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 25 */
                per_page?: number;
                /** @description Default: `created_at_desc` */
                sort?: "created_at_asc" | "created_at_desc" | "updated_at_asc" | "updated_at_desc" | "publie_le_asc" | "publie_le_desc" | "date_debut_asc" | "date_debut_desc" | "titre_asc" | "titre_desc";
                /** @description Words of title and body, whatever accents, case and endings; the last may be a beginning */
                q?: string;
                /** @description Attached to this commune */
                commune_id?: string;
                /** @description Of this acteur */
                acteur_id?: string;
                /** @description Of one of these types */
                type_id?: string[];
                /** @description In one of these states */
                moderation_status?: ("pending" | "approved" | "published" | "rejected")[];
                /** @description Validated, or not */
                valide?: boolean[];
                /** @description `true`: suspected duplicates alone, the members of one group next to each other */
                duplicates?: boolean;
                /** @description With open reports of readers, or without */
                reported?: boolean[];
                /** @description Featured now, or not */
                en_avant?: boolean[];
                /** @description Seen by the public now, or not: then `hidden_because` says why */
                visible?: boolean[];
                /** @description Content that other acteurs attached to its commune alone: `true`: besides its own; `only`: just that. Default: `false`. */
                supervision?: "false" | "true" | "only";
            };
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the mairie acteur
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                acteurId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "fete-de-la-pomme",
                     *           "titre": "Fête de la pomme",
                     *           "title": "Fête de la pomme",
                     *           "body": "<p>Pressage sur la place.</p>",
                     *           "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "date_debut": "2026-11-20",
                     *           "date_fin": "2026-11-20",
                     *           "source_url": "https://croqueurs.example/fete",
                     *           "image_url": "https://croqueurs.example/pomme.jpg",
                     *           "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "acteur": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "nom": "Les Croqueurs de pommes",
                     *             "slug": "croqueurs",
                     *             "type": "association",
                     *             "badge": "Association de l’année"
                     *           },
                     *           "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "commune": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "slug": "bourg-en-bresse",
                     *             "nom": "Bourg-en-Bresse"
                     *           },
                     *           "commune_ids": [
                     *             "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *           ],
                     *           "type": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "slug": "evenement",
                     *             "libelle": "Événement"
                     *           },
                     *           "epingle": true,
                     *           "status": "pending",
                     *           "moderation_status": "pending",
                     *           "valide": true,
                     *           "publie_le": "2026-11-20T08:30:00.000Z",
                     *           "en_avant": true,
                     *           "featured_until": "2026-11-20T08:30:00.000Z",
                     *           "created_at": "2026-11-20T08:30:00.000Z",
                     *           "updated_at": "2026-11-20T08:30:00.000Z",
                     *           "moderation_reason": "Hors sujet",
                     *           "hidden_because": [],
                     *           "deleted_at": "2026-11-20T08:30:00.000Z",
                     *           "reports_open": 0,
                     *           "version": 1,
                     *           "duplicate_key": "s:6f1ed002ab5595859014ebf0951522d9",
                     *           "duplicate_reason": "source_url",
                     *           "duplicate_count": 2,
                     *           "may_moderate": true
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MairiePublication"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolation"];
            404: components["responses"]["NotFound"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createMairiePublication: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choosing, 1 to 200 visible ASCII characters: the same request sent again within a day gets the same answer, and nothing is done twice */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the mairie acteur
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                acteurId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Fête de la pomme",
                 *       "titre": "Fête de la pomme",
                 *       "body": "<p>Pressage sur la place.</p>",
                 *       "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *       "commune_ids": [
                 *         "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                 *       ],
                 *       "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *       "date_debut": "2026-11-20",
                 *       "date_fin": "2026-11-20",
                 *       "source_url": "https://croqueurs.example/fete",
                 *       "image_url": "https://croqueurs.example/pomme.jpg",
                 *       "publie_le": null
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Plain text
                     * @example Fête de la pomme
                     */
                    title?: string;
                    /**
                     * @description Accepted for `title`: one of the two is needed
                     * @example Fête de la pomme
                     */
                    titre?: string;
                    /**
                     * @description Plain text, or a small subset of HTML: paragraphs, links, lists, emphasis, headings. At most 20 000 characters as they are written, 40 000 with what HTML adds (`&lt;` for `<`), 2 000 tags, and 50 of them within each other.
                     * @example <p>Pressage sur la place.</p>
                     */
                    body: string;
                    /**
                     * Format: uuid
                     * @description The first of its communes; by default the acteur's
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    commune_id?: string | null;
                    /** @description All its communes */
                    commune_ids?: string[];
                    /**
                     * Format: uuid
                     * @description One of the publication types
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    type_id?: string | null;
                    /**
                     * Format: date
                     * @description First day
                     * @example 2026-11-20
                     */
                    date_debut?: string | null;
                    /**
                     * Format: date
                     * @description Last day, not before the first
                     * @example 2026-11-20
                     */
                    date_fin?: string | null;
                    /**
                     * @description An http or https address
                     * @example https://croqueurs.example/fete
                     */
                    source_url?: string | null;
                    /**
                     * @description An http or https address
                     * @example https://croqueurs.example/pomme.jpg
                     */
                    image_url?: string | null;
                    /**
                     * Format: date-time
                     * @description When it is to appear, still to come: for an acteur that may publish, or an administrator
                     * @example null
                     */
                    publie_le?: string | null;
                };
            };
        };
        responses: {
            /** @description It was made */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "fete-de-la-pomme",
                     *         "titre": "Fête de la pomme",
                     *         "title": "Fête de la pomme",
                     *         "body": "<p>Pressage sur la place.</p>",
                     *         "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "date_debut": "2026-11-20",
                     *         "date_fin": "2026-11-20",
                     *         "source_url": "https://croqueurs.example/fete",
                     *         "image_url": "https://croqueurs.example/pomme.jpg",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "acteur": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Les Croqueurs de pommes",
                     *           "slug": "croqueurs",
                     *           "type": "association",
                     *           "badge": "Association de l’année"
                     *         },
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "bourg-en-bresse",
                     *           "nom": "Bourg-en-Bresse"
                     *         },
                     *         "commune_ids": [
                     *           "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *         ],
                     *         "type": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "evenement",
                     *           "libelle": "Événement"
                     *         },
                     *         "epingle": true,
                     *         "status": "pending",
                     *         "moderation_status": "pending",
                     *         "valide": true,
                     *         "publie_le": "2026-11-20T08:30:00.000Z",
                     *         "en_avant": true,
                     *         "featured_until": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "moderation_reason": "Hors sujet",
                     *         "hidden_because": [],
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "reports_open": 0,
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ManagedPublication"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "body",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    moderateMairiePublication: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the mairie acteur
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                acteurId: string;
                /**
                 * @description Identifier of the publication
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                publicationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "moderation_status": "published",
                 *       "reason": "Relu et validé"
                 *     }
                 */
                "application/json": {
                    /**
                     * @example pending
                     * @enum {string}
                     */
                    moderation_status: "pending" | "approved" | "published" | "rejected";
                    /**
                     * @description Shown to administrators, moderators and members of the acteur
                     * @example Hors sujet
                     */
                    reason?: string | null;
                    /**
                     * Format: date-time
                     * @description With `approved` alone: when it is to appear; null takes it off the schedule. Never moved once past.
                     * @example 2026-11-20T08:30:00.000Z
                     */
                    publie_le?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "fete-de-la-pomme",
                     *         "titre": "Fête de la pomme",
                     *         "title": "Fête de la pomme",
                     *         "body": "<p>Pressage sur la place.</p>",
                     *         "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "date_debut": "2026-11-20",
                     *         "date_fin": "2026-11-20",
                     *         "source_url": "https://croqueurs.example/fete",
                     *         "image_url": "https://croqueurs.example/pomme.jpg",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "acteur": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Les Croqueurs de pommes",
                     *           "slug": "croqueurs",
                     *           "type": "association",
                     *           "badge": "Association de l’année"
                     *         },
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "bourg-en-bresse",
                     *           "nom": "Bourg-en-Bresse"
                     *         },
                     *         "commune_ids": [
                     *           "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *         ],
                     *         "type": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "evenement",
                     *           "libelle": "Événement"
                     *         },
                     *         "epingle": true,
                     *         "status": "pending",
                     *         "moderation_status": "pending",
                     *         "valide": true,
                     *         "publie_le": "2026-11-20T08:30:00.000Z",
                     *         "en_avant": true,
                     *         "featured_until": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "moderation_reason": "Hors sujet",
                     *         "hidden_because": [],
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "reports_open": 0,
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ManagedPublication"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolation"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "moderation_status",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listManagedPublications: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 25 */
                per_page?: number;
                /** @description Default: `created_at_desc` */
                sort?: "created_at_asc" | "created_at_desc" | "updated_at_asc" | "updated_at_desc" | "publie_le_asc" | "publie_le_desc" | "date_debut_asc" | "date_debut_desc" | "titre_asc" | "titre_desc";
                /** @description Words of title and body, whatever accents, case and endings; the last may be a beginning */
                q?: string;
                /** @description Attached to this commune */
                commune_id?: string;
                /** @description Of this acteur */
                acteur_id?: string;
                /** @description Of one of these types */
                type_id?: string[];
                /** @description In one of these states */
                moderation_status?: ("pending" | "approved" | "published" | "rejected")[];
                /** @description Validated, or not */
                valide?: boolean[];
                /** @description `true`: suspected duplicates alone, the members of one group next to each other */
                duplicates?: boolean;
                /** @description With open reports of readers, or without */
                reported?: boolean[];
                /** @description Featured now, or not */
                en_avant?: boolean[];
                /** @description Seen by the public now, or not: then `hidden_because` says why */
                visible?: boolean[];
                /** @description Only these, separated by commas */
                ids?: string[];
                /** @description `true`: deleted ones too; `only`: just these. Default: `false`. */
                deleted?: "false" | "true" | "only";
            };
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "fete-de-la-pomme",
                     *           "titre": "Fête de la pomme",
                     *           "title": "Fête de la pomme",
                     *           "body": "<p>Pressage sur la place.</p>",
                     *           "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "date_debut": "2026-11-20",
                     *           "date_fin": "2026-11-20",
                     *           "source_url": "https://croqueurs.example/fete",
                     *           "image_url": "https://croqueurs.example/pomme.jpg",
                     *           "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "acteur": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "nom": "Les Croqueurs de pommes",
                     *             "slug": "croqueurs",
                     *             "type": "association",
                     *             "badge": "Association de l’année"
                     *           },
                     *           "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "commune": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "slug": "bourg-en-bresse",
                     *             "nom": "Bourg-en-Bresse"
                     *           },
                     *           "commune_ids": [
                     *             "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *           ],
                     *           "type": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "slug": "evenement",
                     *             "libelle": "Événement"
                     *           },
                     *           "epingle": true,
                     *           "status": "pending",
                     *           "moderation_status": "pending",
                     *           "valide": true,
                     *           "publie_le": "2026-11-20T08:30:00.000Z",
                     *           "en_avant": true,
                     *           "featured_until": "2026-11-20T08:30:00.000Z",
                     *           "created_at": "2026-11-20T08:30:00.000Z",
                     *           "updated_at": "2026-11-20T08:30:00.000Z",
                     *           "moderation_reason": "Hors sujet",
                     *           "hidden_because": [],
                     *           "deleted_at": "2026-11-20T08:30:00.000Z",
                     *           "reports_open": 0,
                     *           "version": 1,
                     *           "duplicate_key": "s:6f1ed002ab5595859014ebf0951522d9",
                     *           "duplicate_reason": "source_url",
                     *           "duplicate_count": 2
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ListedPublication"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getManagedPublication: {
        parameters: {
            query?: never;
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the publication
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "fete-de-la-pomme",
                     *         "titre": "Fête de la pomme",
                     *         "title": "Fête de la pomme",
                     *         "body": "<p>Pressage sur la place.</p>",
                     *         "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "date_debut": "2026-11-20",
                     *         "date_fin": "2026-11-20",
                     *         "source_url": "https://croqueurs.example/fete",
                     *         "image_url": "https://croqueurs.example/pomme.jpg",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "acteur": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Les Croqueurs de pommes",
                     *           "slug": "croqueurs",
                     *           "type": "association",
                     *           "badge": "Association de l’année"
                     *         },
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "bourg-en-bresse",
                     *           "nom": "Bourg-en-Bresse"
                     *         },
                     *         "commune_ids": [
                     *           "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *         ],
                     *         "type": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "evenement",
                     *           "libelle": "Événement"
                     *         },
                     *         "epingle": true,
                     *         "status": "pending",
                     *         "moderation_status": "pending",
                     *         "valide": true,
                     *         "publie_le": "2026-11-20T08:30:00.000Z",
                     *         "en_avant": true,
                     *         "featured_until": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "moderation_reason": "Hors sujet",
                     *         "hidden_because": [],
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "reports_open": 0,
                     *         "version": 1,
                     *         "reports": [
                     *           {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "category": "spam",
                     *             "reason": "Ce numéro n’existe pas",
                     *             "message": "La fête a été annulée.",
                     *             "created_at": "2026-11-20T08:30:00.000Z",
                     *             "closed_at": "2026-11-20T08:30:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ReportedPublication"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "is not a known field"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteManagedPublication: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the publication
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "fete-de-la-pomme",
                     *         "titre": "Fête de la pomme",
                     *         "title": "Fête de la pomme",
                     *         "body": "<p>Pressage sur la place.</p>",
                     *         "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "date_debut": "2026-11-20",
                     *         "date_fin": "2026-11-20",
                     *         "source_url": "https://croqueurs.example/fete",
                     *         "image_url": "https://croqueurs.example/pomme.jpg",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "acteur": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Les Croqueurs de pommes",
                     *           "slug": "croqueurs",
                     *           "type": "association",
                     *           "badge": "Association de l’année"
                     *         },
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "bourg-en-bresse",
                     *           "nom": "Bourg-en-Bresse"
                     *         },
                     *         "commune_ids": [
                     *           "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *         ],
                     *         "type": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "evenement",
                     *           "libelle": "Événement"
                     *         },
                     *         "epingle": true,
                     *         "status": "pending",
                     *         "moderation_status": "pending",
                     *         "valide": true,
                     *         "publie_le": "2026-11-20T08:30:00.000Z",
                     *         "en_avant": true,
                     *         "featured_until": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "moderation_reason": "Hors sujet",
                     *         "hidden_because": [],
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "reports_open": 0,
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ManagedPublication"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "If-Match",
                     *           "message": "must be a version in double quotes, as in \"3\""
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    moderatePublications: {
        parameters: {
            query?: never;
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                 *       ],
                 *       "moderation_status": "pending",
                 *       "reason": "Hors sujet"
                 *     }
                 */
                "application/json": {
                    ids: string[];
                    /**
                     * @example pending
                     * @enum {string}
                     */
                    moderation_status: "pending" | "approved" | "published" | "rejected";
                    /**
                     * @description Shown to administrators, moderators and members of the acteur
                     * @example Hors sujet
                     */
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "result": "updated",
                     *           "previous": {
                     *             "moderation_status": "pending",
                     *             "valide": true
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "updated": 1,
                     *         "unchanged": 1,
                     *         "not_found": 1,
                     *         "deleted": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BulkModerationAnswer"];
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "ids",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    moderateManagedPublication: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the publication
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "moderation_status": "published",
                 *       "reason": "Relu et validé"
                 *     }
                 */
                "application/json": {
                    /**
                     * @example pending
                     * @enum {string}
                     */
                    moderation_status: "pending" | "approved" | "published" | "rejected";
                    /**
                     * @description Shown to administrators, moderators and members of the acteur
                     * @example Hors sujet
                     */
                    reason?: string | null;
                    /**
                     * Format: date-time
                     * @description With `approved` alone: when it is to appear; null takes it off the schedule. Never moved once past.
                     * @example 2026-11-20T08:30:00.000Z
                     */
                    publie_le?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "fete-de-la-pomme",
                     *         "titre": "Fête de la pomme",
                     *         "title": "Fête de la pomme",
                     *         "body": "<p>Pressage sur la place.</p>",
                     *         "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "date_debut": "2026-11-20",
                     *         "date_fin": "2026-11-20",
                     *         "source_url": "https://croqueurs.example/fete",
                     *         "image_url": "https://croqueurs.example/pomme.jpg",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "acteur": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Les Croqueurs de pommes",
                     *           "slug": "croqueurs",
                     *           "type": "association",
                     *           "badge": "Association de l’année"
                     *         },
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "bourg-en-bresse",
                     *           "nom": "Bourg-en-Bresse"
                     *         },
                     *         "commune_ids": [
                     *           "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *         ],
                     *         "type": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "evenement",
                     *           "libelle": "Événement"
                     *         },
                     *         "epingle": true,
                     *         "status": "pending",
                     *         "moderation_status": "pending",
                     *         "valide": true,
                     *         "publie_le": "2026-11-20T08:30:00.000Z",
                     *         "en_avant": true,
                     *         "featured_until": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "moderation_reason": "Hors sujet",
                     *         "hidden_because": [],
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "reports_open": 0,
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ManagedPublication"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "moderation_status",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    validatePublication: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the publication
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "valide": true
                 *     }
                 */
                "application/json": {
                    /** @example true */
                    valide: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "fete-de-la-pomme",
                     *         "titre": "Fête de la pomme",
                     *         "title": "Fête de la pomme",
                     *         "body": "<p>Pressage sur la place.</p>",
                     *         "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "date_debut": "2026-11-20",
                     *         "date_fin": "2026-11-20",
                     *         "source_url": "https://croqueurs.example/fete",
                     *         "image_url": "https://croqueurs.example/pomme.jpg",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "acteur": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Les Croqueurs de pommes",
                     *           "slug": "croqueurs",
                     *           "type": "association",
                     *           "badge": "Association de l’année"
                     *         },
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "bourg-en-bresse",
                     *           "nom": "Bourg-en-Bresse"
                     *         },
                     *         "commune_ids": [
                     *           "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *         ],
                     *         "type": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "evenement",
                     *           "libelle": "Événement"
                     *         },
                     *         "epingle": true,
                     *         "status": "pending",
                     *         "moderation_status": "pending",
                     *         "valide": true,
                     *         "publie_le": "2026-11-20T08:30:00.000Z",
                     *         "en_avant": true,
                     *         "featured_until": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "moderation_reason": "Hors sujet",
                     *         "hidden_because": [],
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "reports_open": 0,
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ManagedPublication"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "valide",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    featurePublication: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the publication
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "en_avant": true
                 *     }
                 */
                "application/json": {
                    /** @example true */
                    en_avant: boolean;
                    /**
                     * Format: date-time
                     * @description Absent: no end
                     * @example 2026-11-20T08:30:00.000Z
                     */
                    featured_until?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "fete-de-la-pomme",
                     *         "titre": "Fête de la pomme",
                     *         "title": "Fête de la pomme",
                     *         "body": "<p>Pressage sur la place.</p>",
                     *         "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "date_debut": "2026-11-20",
                     *         "date_fin": "2026-11-20",
                     *         "source_url": "https://croqueurs.example/fete",
                     *         "image_url": "https://croqueurs.example/pomme.jpg",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "acteur": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Les Croqueurs de pommes",
                     *           "slug": "croqueurs",
                     *           "type": "association",
                     *           "badge": "Association de l’année"
                     *         },
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "bourg-en-bresse",
                     *           "nom": "Bourg-en-Bresse"
                     *         },
                     *         "commune_ids": [
                     *           "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *         ],
                     *         "type": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "evenement",
                     *           "libelle": "Événement"
                     *         },
                     *         "epingle": true,
                     *         "status": "pending",
                     *         "moderation_status": "pending",
                     *         "valide": true,
                     *         "publie_le": "2026-11-20T08:30:00.000Z",
                     *         "en_avant": true,
                     *         "featured_until": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "moderation_reason": "Hors sujet",
                     *         "hidden_because": [],
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "reports_open": 0,
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ManagedPublication"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "en_avant",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    restorePublication: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the publication
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "fete-de-la-pomme",
                     *         "titre": "Fête de la pomme",
                     *         "title": "Fête de la pomme",
                     *         "body": "<p>Pressage sur la place.</p>",
                     *         "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "date_debut": "2026-11-20",
                     *         "date_fin": "2026-11-20",
                     *         "source_url": "https://croqueurs.example/fete",
                     *         "image_url": "https://croqueurs.example/pomme.jpg",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "acteur": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Les Croqueurs de pommes",
                     *           "slug": "croqueurs",
                     *           "type": "association",
                     *           "badge": "Association de l’année"
                     *         },
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "bourg-en-bresse",
                     *           "nom": "Bourg-en-Bresse"
                     *         },
                     *         "commune_ids": [
                     *           "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *         ],
                     *         "type": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "evenement",
                     *           "libelle": "Événement"
                     *         },
                     *         "epingle": true,
                     *         "status": "pending",
                     *         "moderation_status": "pending",
                     *         "valide": true,
                     *         "publie_le": "2026-11-20T08:30:00.000Z",
                     *         "en_avant": true,
                     *         "featured_until": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "moderation_reason": "Hors sujet",
                     *         "hidden_because": [],
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "reports_open": 0,
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ManagedPublication"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "If-Match",
                     *           "message": "must be a version in double quotes, as in \"3\""
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPublicationReports: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 25 */
                per_page?: number;
            };
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the publication
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "category": "spam",
                     *           "reason": "Ce numéro n’existe pas",
                     *           "message": "La fête a été annulée.",
                     *           "created_at": "2026-11-20T08:30:00.000Z",
                     *           "closed_at": "2026-11-20T08:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PublicationReport"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAlertesInForce: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 15 */
                per_page?: number;
            };
            header?: {
                /** @description The `ETag` of the answer that the caller has already: 304 when it is still so */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the commune
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                communeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "titre": "Coupure d’eau rue du Puits",
                     *           "message": "L’eau est coupée jeudi de 8 h à midi, du 2 au 40.",
                     *           "niveau": "info",
                     *           "debut": "2026-11-20T08:30:00.000Z",
                     *           "fin": "2026-11-20T08:30:00.000Z",
                     *           "created_at": "2026-11-20T08:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Alerte"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            /** @description It is still as the caller has it. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MissingAppSource"];
            403: components["responses"]["ScopeViolation"];
            404: components["responses"]["NotFound"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCommuneAlertes: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 25 */
                per_page?: number;
            };
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the commune
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                communeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "titre": "Coupure d’eau rue du Puits",
                     *           "message": "L’eau est coupée jeudi de 8 h à midi, du 2 au 40.",
                     *           "niveau": "info",
                     *           "debut": "2026-11-20T08:30:00.000Z",
                     *           "fin": "2026-11-20T08:30:00.000Z",
                     *           "created_at": "2026-11-20T08:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Alerte"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolation"];
            404: components["responses"]["NotFound"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCommuneAlerte: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choosing, 1 to 200 visible ASCII characters: the same request sent again within a day gets the same answer, and nothing is done twice */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the commune
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                communeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "titre": "Coupure d’eau rue du Puits",
                 *       "message": "L’eau est coupée jeudi de 8 h à midi, du 2 au 40. Pensez à remplir une carafe.",
                 *       "niveau": "info",
                 *       "debut": "2026-11-20T08:30:00.000Z",
                 *       "fin": "2026-11-20T08:30:00.000Z"
                 *     }
                 */
                "application/json": {
                    /** @example Coupure d’eau rue du Puits */
                    titre: string;
                    /**
                     * @description Plain text
                     * @example L’eau est coupée jeudi de 8 h à midi, du 2 au 40. Pensez à remplir une carafe.
                     */
                    message: string;
                    /**
                     * @description How much it matters
                     * @example info
                     * @enum {string}
                     */
                    niveau: "info" | "attention" | "urgence";
                    /**
                     * Format: date-time
                     * @description From when it holds; null: at once
                     * @example 2026-11-20T08:30:00.000Z
                     */
                    debut?: string | null;
                    /**
                     * Format: date-time
                     * @description Until when it holds; null: until further notice. After debut, and still to come
                     * @example 2026-11-20T08:30:00.000Z
                     */
                    fin?: string | null;
                };
            };
        };
        responses: {
            /** @description It was made */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "titre": "Coupure d’eau rue du Puits",
                     *         "message": "L’eau est coupée jeudi de 8 h à midi, du 2 au 40.",
                     *         "niveau": "info",
                     *         "debut": "2026-11-20T08:30:00.000Z",
                     *         "fin": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Alerte"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolation"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "titre",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listActeurAlertes: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 25 */
                per_page?: number;
            };
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the mairie acteur
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                acteurId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "titre": "Coupure d’eau rue du Puits",
                     *           "message": "L’eau est coupée jeudi de 8 h à midi, du 2 au 40.",
                     *           "niveau": "info",
                     *           "debut": "2026-11-20T08:30:00.000Z",
                     *           "fin": "2026-11-20T08:30:00.000Z",
                     *           "created_at": "2026-11-20T08:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Alerte"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolation"];
            404: components["responses"]["NotFound"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createActeurAlerte: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choosing, 1 to 200 visible ASCII characters: the same request sent again within a day gets the same answer, and nothing is done twice */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the mairie acteur
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                acteurId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "titre": "Coupure d’eau rue du Puits",
                 *       "message": "L’eau est coupée jeudi de 8 h à midi, du 2 au 40. Pensez à remplir une carafe.",
                 *       "niveau": "info",
                 *       "debut": "2026-11-20T08:30:00.000Z",
                 *       "fin": "2026-11-20T08:30:00.000Z"
                 *     }
                 */
                "application/json": {
                    /** @example Coupure d’eau rue du Puits */
                    titre: string;
                    /**
                     * @description Plain text
                     * @example L’eau est coupée jeudi de 8 h à midi, du 2 au 40. Pensez à remplir une carafe.
                     */
                    message: string;
                    /**
                     * @description How much it matters
                     * @example info
                     * @enum {string}
                     */
                    niveau: "info" | "attention" | "urgence";
                    /**
                     * Format: date-time
                     * @description From when it holds; null: at once
                     * @example 2026-11-20T08:30:00.000Z
                     */
                    debut?: string | null;
                    /**
                     * Format: date-time
                     * @description Until when it holds; null: until further notice. After debut, and still to come
                     * @example 2026-11-20T08:30:00.000Z
                     */
                    fin?: string | null;
                };
            };
        };
        responses: {
            /** @description It was made */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "titre": "Coupure d’eau rue du Puits",
                     *         "message": "L’eau est coupée jeudi de 8 h à midi, du 2 au 40.",
                     *         "niveau": "info",
                     *         "debut": "2026-11-20T08:30:00.000Z",
                     *         "fin": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Alerte"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolation"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "titre",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCommuneDefibrillateurs: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the answer that the caller has already: 304 when it is still so */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the commune
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "defibrillateurs": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "gid": "1800",
                     *           "nom": "Mairie",
                     *           "adresse": "1 Place de la Mairie",
                     *           "code_postal": "42000",
                     *           "commune_nom": "Saint-Étienne",
                     *           "code_insee": "42218",
                     *           "latitude": 45.61,
                     *           "longitude": 4.05,
                     *           "acces": "Extérieur",
                     *           "acces_libre": true,
                     *           "etage": "0",
                     *           "acces_complement": "Entrée principale",
                     *           "disponibilite": "Mo-Fr 08:00-18:00",
                     *           "disponibilite_complement": "Fermé pendant les vacances scolaires",
                     *           "etat_fonctionnement": "En fonctionnement",
                     *           "photo_url": "https://photos.example/dae/1800.jpg",
                     *           "date_installation": "2026-11-20",
                     *           "mis_a_jour_le": "2026-11-20T08:30:00.000Z",
                     *           "ouvert": true
                     *         }
                     *       ],
                     *       "meta": {
                     *         "count": 12,
                     *         "last_synced_at": "2026-11-20T08:30:00.000Z",
                     *         "sync_status": "queued"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CommuneDefibrillateurs"];
                };
            };
            /** @description It is still as the caller has it. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MissingAppSource"];
            403: components["responses"]["ScopeViolation"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDefibrillateurs: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 15 */
                per_page?: number;
                /** @description Beginnings of words of the name, the address, the postal code or the commune, whatever their accents and case; all must be found */
                q?: string;
                /** @description INSEE code; that of a former commune leads to the present one */
                code_insee?: string;
                /** @description Goes with `lon`: nearest first */
                lat?: number;
                /** @description Goes with `lat` */
                lon?: number;
                /** @description How far around, in metres; default 10000 */
                rayon?: number;
                /** @description `true` leaves out those that are known to be closed now. Needs a place (`lat`, `lon`) or `code_insee` */
                ouvert?: boolean;
            };
            header?: {
                /** @description The `ETag` of the answer that the caller has already: 304 when it is still so */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "gid": "1800",
                     *           "nom": "Mairie",
                     *           "adresse": "1 Place de la Mairie",
                     *           "code_postal": "42000",
                     *           "commune_nom": "Saint-Étienne",
                     *           "code_insee": "42218",
                     *           "latitude": 45.61,
                     *           "longitude": 4.05,
                     *           "acces": "Extérieur",
                     *           "acces_libre": true,
                     *           "etage": "0",
                     *           "acces_complement": "Entrée principale",
                     *           "disponibilite": "Mo-Fr 08:00-18:00",
                     *           "disponibilite_complement": "Fermé pendant les vacances scolaires",
                     *           "etat_fonctionnement": "En fonctionnement",
                     *           "photo_url": "https://photos.example/dae/1800.jpg",
                     *           "date_installation": "2026-11-20",
                     *           "mis_a_jour_le": "2026-11-20T08:30:00.000Z",
                     *           "ouvert": true,
                     *           "distance_m": 240
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DefibrillateurListed"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            /** @description It is still as the caller has it. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MissingAppSource"];
            403: components["responses"]["ScopeViolation"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listManagedCommuneDefibrillateurs: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 25 */
                per_page?: number;
                /** @description Default: `nom_asc` */
                sort?: "nom_asc" | "nom_desc" | "commune_nom_asc" | "commune_nom_desc" | "mis_a_jour_le_asc" | "mis_a_jour_le_desc";
                /** @description Only these, separated by commas */
                ids?: string[];
                /** @description Beginnings of words of the name, the address, the postal code or the commune, whatever their accents and case; all must be found */
                q?: string;
                /** @description Of one of these, on the level of the list */
                statut_admin?: ("actif" | "masque" | "a_verifier")[];
                /** @description In one of these conditions, as the registry says */
                etat_fonctionnement?: ("En fonctionnement" | "Hors service" | "Supprimé définitivement" | "Absent momentanément" | "Inconnu")[];
                /** @description Whether the registry has it no more */
                absent?: boolean[];
            };
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the commune
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "gid": "1800",
                     *           "nom": "Mairie",
                     *           "adresse": "1 Place de la Mairie",
                     *           "code_postal": "42000",
                     *           "commune_nom": "Saint-Étienne",
                     *           "code_insee": "42218",
                     *           "latitude": 45.61,
                     *           "longitude": 4.05,
                     *           "acces": "Extérieur",
                     *           "acces_libre": true,
                     *           "etage": "0",
                     *           "acces_complement": "Entrée principale",
                     *           "disponibilite": "Mo-Fr 08:00-18:00",
                     *           "disponibilite_complement": "Fermé pendant les vacances scolaires",
                     *           "etat_fonctionnement": "En fonctionnement",
                     *           "photo_url": "https://photos.example/dae/1800.jpg",
                     *           "date_installation": "2026-11-20",
                     *           "mis_a_jour_le": "2026-11-20T08:30:00.000Z",
                     *           "ouvert": true,
                     *           "statut_admin": "actif",
                     *           "note": "Vu sur place le 12 mai",
                     *           "statut_admin_commune": "actif",
                     *           "statut_admin_france": "actif",
                     *           "absent_depuis": "2026-11-20T08:30:00.000Z",
                     *           "version": 1
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57,
                     *         "last_synced_at": "2026-11-20T08:30:00.000Z",
                     *         "sync_status": "queued",
                     *         "sync_error": "The registry answered 503."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ManagedDefibrillateur"][];
                        meta: {
                            /** @example 1 */
                            current_page: number;
                            /**
                             * @description 1 when there is nothing
                             * @example 3
                             */
                            last_page: number;
                            /** @example 25 */
                            per_page: number;
                            /** @example 57 */
                            total: number;
                            /**
                             * Format: date-time
                             * @description When a sync last succeeded, of the commune or of France
                             * @example 2026-11-20T08:30:00.000Z
                             */
                            last_synced_at: string | null;
                            /**
                             * @description Of the latest sync; null: there was none
                             * @example queued
                             * @enum {string|null}
                             */
                            sync_status: "queued" | "running" | "succeeded" | "failed" | null;
                            /** @example The registry answered 503. */
                            sync_error: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listManagedDefibrillateurs: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 25 */
                per_page?: number;
                /** @description Default: `nom_asc` */
                sort?: "nom_asc" | "nom_desc" | "commune_nom_asc" | "commune_nom_desc" | "mis_a_jour_le_asc" | "mis_a_jour_le_desc";
                /** @description Only these, separated by commas */
                ids?: string[];
                /** @description Beginnings of words of the name, the address, the postal code or the commune, whatever their accents and case; all must be found */
                q?: string;
                /** @description Of one of these, on the level of the list */
                statut_admin?: ("actif" | "masque" | "a_verifier")[];
                /** @description In one of these conditions, as the registry says */
                etat_fonctionnement?: ("En fonctionnement" | "Hors service" | "Supprimé définitivement" | "Absent momentanément" | "Inconnu")[];
                /** @description Whether the registry has it no more */
                absent?: boolean[];
                /** @description INSEE code; that of a former commune leads to the present one */
                code_insee?: string;
            };
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "gid": "1800",
                     *           "nom": "Mairie",
                     *           "adresse": "1 Place de la Mairie",
                     *           "code_postal": "42000",
                     *           "commune_nom": "Saint-Étienne",
                     *           "code_insee": "42218",
                     *           "latitude": 45.61,
                     *           "longitude": 4.05,
                     *           "acces": "Extérieur",
                     *           "acces_libre": true,
                     *           "etage": "0",
                     *           "acces_complement": "Entrée principale",
                     *           "disponibilite": "Mo-Fr 08:00-18:00",
                     *           "disponibilite_complement": "Fermé pendant les vacances scolaires",
                     *           "etat_fonctionnement": "En fonctionnement",
                     *           "photo_url": "https://photos.example/dae/1800.jpg",
                     *           "date_installation": "2026-11-20",
                     *           "mis_a_jour_le": "2026-11-20T08:30:00.000Z",
                     *           "ouvert": true,
                     *           "statut_admin": "actif",
                     *           "note": "Vu sur place le 12 mai",
                     *           "statut_admin_commune": "actif",
                     *           "statut_admin_france": "actif",
                     *           "absent_depuis": "2026-11-20T08:30:00.000Z",
                     *           "version": 1
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57,
                     *         "last_synced_at": "2026-11-20T08:30:00.000Z",
                     *         "sync_status": "queued",
                     *         "sync_error": "The registry answered 503."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ManagedDefibrillateur"][];
                        meta: {
                            /** @example 1 */
                            current_page: number;
                            /**
                             * @description 1 when there is nothing
                             * @example 3
                             */
                            last_page: number;
                            /** @example 25 */
                            per_page: number;
                            /** @example 57 */
                            total: number;
                            /**
                             * Format: date-time
                             * @description When a sync last succeeded, of the commune or of France
                             * @example 2026-11-20T08:30:00.000Z
                             */
                            last_synced_at: string | null;
                            /**
                             * @description Of the latest sync; null: there was none
                             * @example queued
                             * @enum {string|null}
                             */
                            sync_status: "queued" | "running" | "succeeded" | "failed" | null;
                            /** @example The registry answered 503. */
                            sync_error: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCommuneDefibrillateur: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the defibrillator
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "statut_admin": "actif",
                 *       "note": "Vu sur place le 12 mai"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Shown to the public only where it is `actif` on both levels
                     * @example actif
                     * @enum {string}
                     */
                    statut_admin: "actif" | "masque" | "a_verifier";
                    /**
                     * @description Of the administrators
                     * @example Vu sur place le 12 mai
                     */
                    note?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "gid": "1800",
                     *         "nom": "Mairie",
                     *         "adresse": "1 Place de la Mairie",
                     *         "code_postal": "42000",
                     *         "commune_nom": "Saint-Étienne",
                     *         "code_insee": "42218",
                     *         "latitude": 45.61,
                     *         "longitude": 4.05,
                     *         "acces": "Extérieur",
                     *         "acces_libre": true,
                     *         "etage": "0",
                     *         "acces_complement": "Entrée principale",
                     *         "disponibilite": "Mo-Fr 08:00-18:00",
                     *         "disponibilite_complement": "Fermé pendant les vacances scolaires",
                     *         "etat_fonctionnement": "En fonctionnement",
                     *         "photo_url": "https://photos.example/dae/1800.jpg",
                     *         "date_installation": "2026-11-20",
                     *         "mis_a_jour_le": "2026-11-20T08:30:00.000Z",
                     *         "ouvert": true,
                     *         "statut_admin": "actif",
                     *         "note": "Vu sur place le 12 mai",
                     *         "statut_admin_commune": "actif",
                     *         "statut_admin_france": "actif",
                     *         "absent_depuis": "2026-11-20T08:30:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ManagedDefibrillateur"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "statut_admin",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateFranceDefibrillateur: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the defibrillator
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "statut_admin": "actif",
                 *       "note": "Vu sur place le 12 mai"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Shown to the public only where it is `actif` on both levels
                     * @example actif
                     * @enum {string}
                     */
                    statut_admin: "actif" | "masque" | "a_verifier";
                    /**
                     * @description Of the administrators
                     * @example Vu sur place le 12 mai
                     */
                    note?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "gid": "1800",
                     *         "nom": "Mairie",
                     *         "adresse": "1 Place de la Mairie",
                     *         "code_postal": "42000",
                     *         "commune_nom": "Saint-Étienne",
                     *         "code_insee": "42218",
                     *         "latitude": 45.61,
                     *         "longitude": 4.05,
                     *         "acces": "Extérieur",
                     *         "acces_libre": true,
                     *         "etage": "0",
                     *         "acces_complement": "Entrée principale",
                     *         "disponibilite": "Mo-Fr 08:00-18:00",
                     *         "disponibilite_complement": "Fermé pendant les vacances scolaires",
                     *         "etat_fonctionnement": "En fonctionnement",
                     *         "photo_url": "https://photos.example/dae/1800.jpg",
                     *         "date_installation": "2026-11-20",
                     *         "mis_a_jour_le": "2026-11-20T08:30:00.000Z",
                     *         "ouvert": true,
                     *         "statut_admin": "actif",
                     *         "note": "Vu sur place le 12 mai",
                     *         "statut_admin_commune": "actif",
                     *         "statut_admin_france": "actif",
                     *         "absent_depuis": "2026-11-20T08:30:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ManagedDefibrillateur"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "statut_admin",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    syncCommuneDefibrillateurs: {
        parameters: {
            query?: {
                /** @description Believes a registry that has lost more than half of what is there */
                accept_fall?: boolean;
            };
            header?: {
                /** @description Of your choosing, 1 to 200 visible ASCII characters: the same request sent again within a day gets the same answer, and nothing is done twice */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the commune
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It was begun, and goes on in the background */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "status": "queued"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DefibrillateurSyncStarted"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["SyncInProgressOrConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "accept_fall",
                     *           "message": "is not valid"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    syncDefibrillateurs: {
        parameters: {
            query?: {
                /** @description Believes a registry that has lost more than half of what is there */
                accept_fall?: boolean;
            };
            header?: {
                /** @description Of your choosing, 1 to 200 visible ASCII characters: the same request sent again within a day gets the same answer, and nothing is done twice */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It was begun, and goes on in the background */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "status": "queued"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DefibrillateurSyncStarted"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            409: components["responses"]["SyncInProgressOrConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "accept_fall",
                     *           "message": "is not valid"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDefibrillateurSyncs: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 25 */
                per_page?: number;
                /** @description Of this commune; default: of France */
                commune_id?: string;
            };
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "source": "registre",
                     *           "status": "queued",
                     *           "error": "The registry answered 503.",
                     *           "counts": {
                     *             "read": 12,
                     *             "received": 12,
                     *             "created": 12,
                     *             "updated": 12,
                     *             "unchanged": 12,
                     *             "absent": 12,
                     *             "returned": 12,
                     *             "refused": {
                     *               "no_identifier": 3
                     *             },
                     *             "cleaned": {
                     *               "contact_masked": 3
                     *             }
                     *           },
                     *           "created_at": "2026-11-20T08:30:00.000Z",
                     *           "started_at": "2026-11-20T08:30:00.000Z",
                     *           "finished_at": "2026-11-20T08:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DefibrillateurSync"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createClaim: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choosing, 1 to 200 visible ASCII characters: the same request sent again within a day gets the same answer, and nothing is done twice */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *       "message": "Je préside le club depuis mars et je tiens désormais sa page.",
                 *       "nom": "Odile Vauquelin",
                 *       "email": "odile.vauquelin@example.org",
                 *       "telephone": "01 99 00 12 34"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The acteur to take over
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    acteur_id: string;
                    /**
                     * @description Who asks, and what makes the acteur theirs
                     * @example Je préside le club depuis mars et je tiens désormais sa page.
                     */
                    message: string;
                    /** @example Odile Vauquelin */
                    nom?: string | null;
                    /**
                     * @description Where the decision is told, and whose owner is made owner where nobody is signed in: there this or a telephone is required
                     * @example odile.vauquelin@example.org
                     */
                    email?: string | null;
                    /** @example 01 99 00 12 34 */
                    telephone?: string | null;
                };
            };
        };
        responses: {
            /** @description It was made */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "status": "pending"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SubmittedClaim"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolation"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ClaimConflictOrConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "acteur_id",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOwnClaims: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 25 */
                per_page?: number;
            };
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "acteur": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "nom": "Boule des Accoules",
                     *             "slug": "boule-des-accoules"
                     *           },
                     *           "status": "pending",
                     *           "reason": "Le club nous a indiqué un autre contact.",
                     *           "created_at": "2026-11-20T08:30:00.000Z",
                     *           "decided_at": "2026-11-20T08:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["OwnClaim"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolation"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listClaims: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 25 */
                per_page?: number;
                /** @description Default: `created_at_desc` */
                sort?: "created_at_asc" | "created_at_desc" | "decided_at_asc" | "decided_at_desc" | "status_asc" | "status_desc";
                /** @description Only these, separated by commas */
                ids?: string[];
                /** @description In one of these states, separated by commas */
                status?: ("pending" | "approved" | "rejected" | "expired")[];
                /** @description Claims on this acteur */
                acteur_id?: string;
                /** @description Beginnings of words of the claimant's name, contacts or message, or of a word of the acteur's name */
                q?: string;
            };
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "user_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Odile Vauquelin",
                     *           "email": "odile.vauquelin@example.org",
                     *           "telephone": "01 99 00 12 34",
                     *           "message": "Je préside le club depuis mars et je tiens désormais sa page.",
                     *           "status": "pending",
                     *           "reason": "Le club nous a indiqué un autre contact.",
                     *           "decided_by": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "email_status": "queued",
                     *           "email_error": "452 4.2.2 Mailbox full",
                     *           "version": 1,
                     *           "created_at": "2026-11-20T08:30:00.000Z",
                     *           "acteur": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "nom": "Boule des Accoules"
                     *           },
                     *           "decided_at": "2026-11-20T08:30:00.000Z",
                     *           "owners": [
                     *             {
                     *               "user_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *               "nom": "Odile Vauquelin",
                     *               "email": "odile.vauquelin@example.org",
                     *               "email_verified": true
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Claim"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getClaim: {
        parameters: {
            query?: never;
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "user_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "nom": "Odile Vauquelin",
                     *         "email": "odile.vauquelin@example.org",
                     *         "telephone": "01 99 00 12 34",
                     *         "message": "Je préside le club depuis mars et je tiens désormais sa page.",
                     *         "status": "pending",
                     *         "reason": "Le club nous a indiqué un autre contact.",
                     *         "decided_by": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "email_status": "queued",
                     *         "email_error": "452 4.2.2 Mailbox full",
                     *         "version": 1,
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "acteur": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Boule des Accoules"
                     *         },
                     *         "decided_at": "2026-11-20T08:30:00.000Z",
                     *         "owners": [
                     *           {
                     *             "user_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "nom": "Odile Vauquelin",
                     *             "email": "odile.vauquelin@example.org",
                     *             "email_verified": true
                     *           }
                     *         ],
                     *         "matching_users": [
                     *           {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "nom": "Odile Vauquelin",
                     *             "email": "odile.vauquelin@example.org",
                     *             "email_verified": true,
                     *             "roles": []
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ClaimRead"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "is not a known field"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    decideClaim: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "approved",
                 *       "reason": "Le club nous a indiqué un autre contact.",
                 *       "user_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                 *     }
                 */
                "application/json": {
                    /**
                     * @example approved
                     * @enum {string}
                     */
                    status: "approved" | "rejected";
                    /**
                     * @description Told to the claimant when it is rejected
                     * @example Le club nous a indiqué un autre contact.
                     */
                    reason?: string | null;
                    /**
                     * Format: uuid
                     * @description Who becomes owner, where the claim was not made by somebody signed in: named by an administrator, unless the claim's address is verifiably theirs
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    user_id?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "user_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "nom": "Odile Vauquelin",
                     *         "email": "odile.vauquelin@example.org",
                     *         "telephone": "01 99 00 12 34",
                     *         "message": "Je préside le club depuis mars et je tiens désormais sa page.",
                     *         "status": "pending",
                     *         "reason": "Le club nous a indiqué un autre contact.",
                     *         "decided_by": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "email_status": "queued",
                     *         "email_error": "452 4.2.2 Mailbox full",
                     *         "version": 1,
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "acteur": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Boule des Accoules"
                     *         },
                     *         "decided_at": "2026-11-20T08:30:00.000Z",
                     *         "owners": [
                     *           {
                     *             "user_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "nom": "Odile Vauquelin",
                     *             "email": "odile.vauquelin@example.org",
                     *             "email_verified": true
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Claim"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequiredOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ClaimAlreadyDecidedOrConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "status",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPublicActeur: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the answer that the caller has already: 304 when it is still so */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier or slug of the acteur
                 * @example petanque-de-chambery
                 */
                idOrSlug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "petanque-de-chambery",
                     *         "nom": "Pétanque de Chambéry",
                     *         "type": "association",
                     *         "badge": "Partenaire",
                     *         "description": "Ouvert à tous, le jeudi soir.",
                     *         "adresse": "12 rue des Alpes, 73000 Chambéry",
                     *         "telephone": "04 65 71 73 12",
                     *         "email": "contact@petanque.example",
                     *         "site_web": "https://petanque.example",
                     *         "commune": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "chambery",
                     *           "nom": "Chambéry"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PublicActeur"];
                    };
                };
            };
            /** @description It is still as the caller has it. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MissingAppSource"];
            403: components["responses"]["ScopeViolation"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCommuneActeurs: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 15 */
                per_page?: number;
                /** @description Beginning of a word of the name, whatever its accents and case */
                q?: string;
                /** @description Of one of these types, separated by commas */
                type?: ("association" | "commerce" | "mairie" | "ecole" | "service" | "autre")[];
            };
            header?: {
                /** @description The `ETag` of the answer that the caller has already: 304 when it is still so */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the commune
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                communeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "petanque-de-chambery",
                     *           "nom": "Pétanque de Chambéry",
                     *           "type": "association",
                     *           "badge": "Partenaire",
                     *           "description": "Ouvert à tous, le jeudi soir.",
                     *           "adresse": "12 rue des Alpes, 73000 Chambéry",
                     *           "telephone": "04 65 71 73 12",
                     *           "email": "contact@petanque.example",
                     *           "site_web": "https://petanque.example",
                     *           "commune": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "slug": "chambery",
                     *             "nom": "Chambéry"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PublicActeur"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            /** @description It is still as the caller has it. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MissingAppSource"];
            403: components["responses"]["ScopeViolation"];
            404: components["responses"]["NotFound"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listActeurs: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 25 */
                per_page?: number;
                /** @description Default: `created_at_desc` */
                sort?: "created_at_asc" | "created_at_desc" | "nom_asc" | "nom_desc" | "type_asc" | "type_desc";
                /** @description Only these, separated by commas */
                ids?: string[];
                /** @description Beginning of a word of the name, whatever its accents and case */
                q?: string;
                /** @description Acteurs of this commune */
                commune_id?: string;
                /** @description Of one of these types, separated by commas */
                type?: ("association" | "commerce" | "mairie" | "ecole" | "service" | "autre")[];
                /** @description Validated or not */
                valide?: boolean[];
                /** @description Active or not */
                active?: boolean[];
                /** @description Without the deleted ones (the default), with them, or only them */
                deleted?: "false" | "true" | "only";
            };
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "slug": "petanque-de-chambery",
                     *           "nom": "Pétanque de Chambéry",
                     *           "type": "association",
                     *           "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "description": "Ouvert à tous, le jeudi soir.",
                     *           "adresse": "12 rue des Alpes, 73000 Chambéry",
                     *           "telephone": "04 65 71 73 12",
                     *           "email": "contact@petanque.example",
                     *           "site_web": "https://petanque.example",
                     *           "valide": true,
                     *           "badge": "Partenaire",
                     *           "active": true,
                     *           "can_publish": false,
                     *           "deleted_at": "2026-11-20T08:30:00.000Z",
                     *           "created_at": "2026-11-20T08:30:00.000Z",
                     *           "updated_at": "2026-11-20T08:30:00.000Z",
                     *           "version": 1,
                     *           "subscription": {
                     *             "plan": "commerce",
                     *             "label": "Commerce",
                     *             "status": "incomplete",
                     *             "current_period_end": "2026-11-20T08:30:00.000Z"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Acteur"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createActeur: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choosing, 1 to 200 visible ASCII characters: the same request sent again within a day gets the same answer, and nothing is done twice */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "nom": "Pétanque de Chambéry",
                 *       "type": "association",
                 *       "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *       "description": "Ouvert à tous, le jeudi soir.",
                 *       "adresse": "12 rue des Alpes, 73000 Chambéry",
                 *       "telephone": "04 65 71 73 12",
                 *       "email": "contact@petanque.example",
                 *       "site_web": "https://petanque.example"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Name
                     * @example Pétanque de Chambéry
                     */
                    nom: string;
                    /**
                     * @example association
                     * @enum {string}
                     */
                    type: "association" | "commerce" | "mairie" | "ecole" | "service" | "autre";
                    /**
                     * Format: uuid
                     * @description Commune it acts in
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    commune_id?: string | null;
                    /** @example Ouvert à tous, le jeudi soir. */
                    description?: string | null;
                    /** @example 12 rue des Alpes, 73000 Chambéry */
                    adresse?: string | null;
                    /** @example 04 65 71 73 12 */
                    telephone?: string | null;
                    /**
                     * @description One plain address
                     * @example contact@petanque.example
                     */
                    email?: string | null;
                    /**
                     * Format: url
                     * @description http or https
                     * @example https://petanque.example
                     */
                    site_web?: string | null;
                };
            };
        };
        responses: {
            /** @description It was made */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "petanque-de-chambery",
                     *         "nom": "Pétanque de Chambéry",
                     *         "type": "association",
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "description": "Ouvert à tous, le jeudi soir.",
                     *         "adresse": "12 rue des Alpes, 73000 Chambéry",
                     *         "telephone": "04 65 71 73 12",
                     *         "email": "contact@petanque.example",
                     *         "site_web": "https://petanque.example",
                     *         "valide": true,
                     *         "badge": "Partenaire",
                     *         "active": true,
                     *         "can_publish": false,
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "version": 1,
                     *         "subscription": {
                     *           "plan": "commerce",
                     *           "label": "Commerce",
                     *           "status": "incomplete",
                     *           "current_period_end": "2026-11-20T08:30:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Acteur"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "nom",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getActeur: {
        parameters: {
            query?: never;
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the acteur
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "petanque-de-chambery",
                     *         "nom": "Pétanque de Chambéry",
                     *         "type": "association",
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "description": "Ouvert à tous, le jeudi soir.",
                     *         "adresse": "12 rue des Alpes, 73000 Chambéry",
                     *         "telephone": "04 65 71 73 12",
                     *         "email": "contact@petanque.example",
                     *         "site_web": "https://petanque.example",
                     *         "valide": true,
                     *         "badge": "Partenaire",
                     *         "active": true,
                     *         "can_publish": false,
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "version": 1,
                     *         "subscription": {
                     *           "plan": "commerce",
                     *           "label": "Commerce",
                     *           "status": "incomplete",
                     *           "current_period_end": "2026-11-20T08:30:00.000Z"
                     *         },
                     *         "members": [
                     *           {
                     *             "user_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "nom": "Zoé Lambert",
                     *             "email": "zoe@example.org",
                     *             "email_verified": true,
                     *             "role": "owner",
                     *             "permissions": [
                     *               "manage_publications"
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ActeurRead"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "is not a known field"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteActeur: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the acteur
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "petanque-de-chambery",
                     *         "nom": "Pétanque de Chambéry",
                     *         "type": "association",
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "description": "Ouvert à tous, le jeudi soir.",
                     *         "adresse": "12 rue des Alpes, 73000 Chambéry",
                     *         "telephone": "04 65 71 73 12",
                     *         "email": "contact@petanque.example",
                     *         "site_web": "https://petanque.example",
                     *         "valide": true,
                     *         "badge": "Partenaire",
                     *         "active": true,
                     *         "can_publish": false,
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "version": 1,
                     *         "subscription": {
                     *           "plan": "commerce",
                     *           "label": "Commerce",
                     *           "status": "incomplete",
                     *           "current_period_end": "2026-11-20T08:30:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Acteur"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "If-Match",
                     *           "message": "must be a version in double quotes, as in \"3\""
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateActeur: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the acteur
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "nom": "Pétanque de Chambéry",
                 *       "type": "association",
                 *       "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *       "description": "Ouvert à tous, le jeudi soir.",
                 *       "adresse": "12 rue des Alpes, 73000 Chambéry",
                 *       "telephone": "04 65 71 73 12",
                 *       "email": "contact@petanque.example",
                 *       "site_web": "https://petanque.example"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Name
                     * @example Pétanque de Chambéry
                     */
                    nom?: string;
                    /**
                     * @example association
                     * @enum {string}
                     */
                    type?: "association" | "commerce" | "mairie" | "ecole" | "service" | "autre";
                    /**
                     * Format: uuid
                     * @description Commune it acts in
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    commune_id?: string | null;
                    /** @example Ouvert à tous, le jeudi soir. */
                    description?: string | null;
                    /** @example 12 rue des Alpes, 73000 Chambéry */
                    adresse?: string | null;
                    /** @example 04 65 71 73 12 */
                    telephone?: string | null;
                    /**
                     * @description One plain address
                     * @example contact@petanque.example
                     */
                    email?: string | null;
                    /**
                     * Format: url
                     * @description http or https
                     * @example https://petanque.example
                     */
                    site_web?: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "petanque-de-chambery",
                     *         "nom": "Pétanque de Chambéry",
                     *         "type": "association",
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "description": "Ouvert à tous, le jeudi soir.",
                     *         "adresse": "12 rue des Alpes, 73000 Chambéry",
                     *         "telephone": "04 65 71 73 12",
                     *         "email": "contact@petanque.example",
                     *         "site_web": "https://petanque.example",
                     *         "valide": true,
                     *         "badge": "Partenaire",
                     *         "active": true,
                     *         "can_publish": false,
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "version": 1,
                     *         "subscription": {
                     *           "plan": "commerce",
                     *           "label": "Commerce",
                     *           "status": "incomplete",
                     *           "current_period_end": "2026-11-20T08:30:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Acteur"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "nom",
                     *           "message": "is not valid"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreActeur: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the acteur
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "petanque-de-chambery",
                     *         "nom": "Pétanque de Chambéry",
                     *         "type": "association",
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "description": "Ouvert à tous, le jeudi soir.",
                     *         "adresse": "12 rue des Alpes, 73000 Chambéry",
                     *         "telephone": "04 65 71 73 12",
                     *         "email": "contact@petanque.example",
                     *         "site_web": "https://petanque.example",
                     *         "valide": true,
                     *         "badge": "Partenaire",
                     *         "active": true,
                     *         "can_publish": false,
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "version": 1,
                     *         "subscription": {
                     *           "plan": "commerce",
                     *           "label": "Commerce",
                     *           "status": "incomplete",
                     *           "current_period_end": "2026-11-20T08:30:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Acteur"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "If-Match",
                     *           "message": "must be a version in double quotes, as in \"3\""
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    validateActeur: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the acteur
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "valide": true
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Validated
                     * @default true
                     * @example true
                     */
                    valide?: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "petanque-de-chambery",
                     *         "nom": "Pétanque de Chambéry",
                     *         "type": "association",
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "description": "Ouvert à tous, le jeudi soir.",
                     *         "adresse": "12 rue des Alpes, 73000 Chambéry",
                     *         "telephone": "04 65 71 73 12",
                     *         "email": "contact@petanque.example",
                     *         "site_web": "https://petanque.example",
                     *         "valide": true,
                     *         "badge": "Partenaire",
                     *         "active": true,
                     *         "can_publish": false,
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "version": 1,
                     *         "subscription": {
                     *           "plan": "commerce",
                     *           "label": "Commerce",
                     *           "status": "incomplete",
                     *           "current_period_end": "2026-11-20T08:30:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Acteur"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "valide",
                     *           "message": "is not valid"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setActeurBadge: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the acteur
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "badge": "Partenaire"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Null: none
                     * @example Partenaire
                     */
                    badge: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "petanque-de-chambery",
                     *         "nom": "Pétanque de Chambéry",
                     *         "type": "association",
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "description": "Ouvert à tous, le jeudi soir.",
                     *         "adresse": "12 rue des Alpes, 73000 Chambéry",
                     *         "telephone": "04 65 71 73 12",
                     *         "email": "contact@petanque.example",
                     *         "site_web": "https://petanque.example",
                     *         "valide": true,
                     *         "badge": "Partenaire",
                     *         "active": true,
                     *         "can_publish": false,
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "version": 1,
                     *         "subscription": {
                     *           "plan": "commerce",
                     *           "label": "Commerce",
                     *           "status": "incomplete",
                     *           "current_period_end": "2026-11-20T08:30:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Acteur"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "badge",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setActeurActive: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the acteur
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "active": false
                 *     }
                 */
                "application/json": {
                    /**
                     * @description While inactive, nothing of it is public
                     * @example false
                     */
                    active: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "petanque-de-chambery",
                     *         "nom": "Pétanque de Chambéry",
                     *         "type": "association",
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "description": "Ouvert à tous, le jeudi soir.",
                     *         "adresse": "12 rue des Alpes, 73000 Chambéry",
                     *         "telephone": "04 65 71 73 12",
                     *         "email": "contact@petanque.example",
                     *         "site_web": "https://petanque.example",
                     *         "valide": true,
                     *         "badge": "Partenaire",
                     *         "active": true,
                     *         "can_publish": false,
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "version": 1,
                     *         "subscription": {
                     *           "plan": "commerce",
                     *           "label": "Commerce",
                     *           "status": "incomplete",
                     *           "current_period_end": "2026-11-20T08:30:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Acteur"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "active",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setActeurCanPublish: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the acteur
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "can_publish": true
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Whether what it publishes waits for no moderation
                     * @example true
                     */
                    can_publish: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "slug": "petanque-de-chambery",
                     *         "nom": "Pétanque de Chambéry",
                     *         "type": "association",
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "description": "Ouvert à tous, le jeudi soir.",
                     *         "adresse": "12 rue des Alpes, 73000 Chambéry",
                     *         "telephone": "04 65 71 73 12",
                     *         "email": "contact@petanque.example",
                     *         "site_web": "https://petanque.example",
                     *         "valide": true,
                     *         "badge": "Partenaire",
                     *         "active": true,
                     *         "can_publish": false,
                     *         "deleted_at": "2026-11-20T08:30:00.000Z",
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "version": 1,
                     *         "subscription": {
                     *           "plan": "commerce",
                     *           "label": "Commerce",
                     *           "status": "incomplete",
                     *           "current_period_end": "2026-11-20T08:30:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Acteur"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "can_publish",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listImportSources: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 25 */
                per_page?: number;
                /** @description Default: `created_at_desc` */
                sort?: "nom_asc" | "nom_desc" | "created_at_asc" | "created_at_desc";
                /** @description Only these, separated by commas */
                ids?: string[];
                /** @description The beginning of a word of its name */
                q?: string;
                /** @description Of one of these types, separated by commas */
                type?: ("rss" | "ics" | "csv" | "json" | "openagenda")[];
                /** @description Active or not */
                actif?: boolean[];
                /** @description Sources of this acteur */
                acteur_id?: string;
            };
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Agenda de la médiathèque",
                     *           "type": "rss",
                     *           "url": "https://mediatheque.example/agenda.xml",
                     *           "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "moderation_status": "published",
                     *           "actif": true,
                     *           "skip_duplicates": true,
                     *           "cron": "0 6 * * *",
                     *           "mapping": {
                     *             "external_id": "id",
                     *             "title": "titre",
                     *             "body": "texte",
                     *             "url": "lien",
                     *             "date_debut": "debut",
                     *             "date_fin": "fin",
                     *             "image_url": "image",
                     *             "items": "data.items"
                     *           },
                     *           "failures": 0,
                     *           "paused_reason": "Failed 5 times in a row.",
                     *           "version": 1,
                     *           "created_at": "2026-11-20T08:30:00.000Z",
                     *           "updated_at": "2026-11-20T08:30:00.000Z",
                     *           "last_run": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "source_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "dry_run": false,
                     *             "status": "queued",
                     *             "started_at": "2026-11-20T08:30:00.000Z",
                     *             "finished_at": "2026-11-20T08:30:00.000Z",
                     *             "fetched": 3,
                     *             "created": 3,
                     *             "updated": 3,
                     *             "unchanged": 3,
                     *             "duplicates": 3,
                     *             "rejected": 3,
                     *             "error": "The server did not answer in full within the time limit."
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ImportSource"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createImportSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choosing, 1 to 200 visible ASCII characters: the same request sent again within a day gets the same answer, and nothing is done twice */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "nom": "Agenda de la médiathèque",
                 *       "type": "rss",
                 *       "url": "https://mediatheque.example/agenda.xml",
                 *       "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *       "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *       "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *       "moderation_status": "published",
                 *       "actif": true,
                 *       "skip_duplicates": true,
                 *       "cron": "0 6 * * *",
                 *       "mapping": null
                 *     }
                 */
                "application/json": {
                    /** @example Agenda de la médiathèque */
                    nom: string;
                    /**
                     * @description rss also reads Atom, RDF and JSON Feed
                     * @example rss
                     * @enum {string}
                     */
                    type: "rss" | "ics" | "csv" | "json" | "openagenda";
                    /**
                     * @description An http or https address, of no private network
                     * @example https://mediatheque.example/agenda.xml
                     */
                    url: string;
                    /**
                     * Format: uuid
                     * @description Whose publications they become; null: what is imported waits for a decision
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    acteur_id?: string | null;
                    /**
                     * Format: uuid
                     * @description Where they are shown; null: the acteur's commune
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    commune_id?: string | null;
                    /**
                     * Format: uuid
                     * @description Their publication type
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    type_id?: string | null;
                    /**
                     * @description What is new is published at once, where the acteur may; or waits for a decision
                     * @example published
                     * @enum {string}
                     */
                    moderation_status?: "published" | "pending";
                    /**
                     * @description Inactive, it is only read by dry runs
                     * @example true
                     */
                    actif?: boolean;
                    /**
                     * @description What another publication says already is left out; else it is let in, and counted
                     * @example true
                     */
                    skip_duplicates?: boolean;
                    /**
                     * @description When it runs by itself: five fields, in the time of Paris. Null: only when asked
                     * @example 0 6 * * *
                     */
                    cron?: string | null;
                    mapping?: components["schemas"]["ImportMappingGiven"];
                };
            };
        };
        responses: {
            /** @description It was made */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "nom": "Agenda de la médiathèque",
                     *         "type": "rss",
                     *         "url": "https://mediatheque.example/agenda.xml",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "moderation_status": "published",
                     *         "actif": true,
                     *         "skip_duplicates": true,
                     *         "cron": "0 6 * * *",
                     *         "mapping": {
                     *           "external_id": "id",
                     *           "title": "titre",
                     *           "body": "texte",
                     *           "url": "lien",
                     *           "date_debut": "debut",
                     *           "date_fin": "fin",
                     *           "image_url": "image",
                     *           "items": "data.items"
                     *         },
                     *         "failures": 0,
                     *         "paused_reason": "Failed 5 times in a row.",
                     *         "version": 1,
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "last_run": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "source_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "dry_run": false,
                     *           "status": "queued",
                     *           "started_at": "2026-11-20T08:30:00.000Z",
                     *           "finished_at": "2026-11-20T08:30:00.000Z",
                     *           "fetched": 3,
                     *           "created": 3,
                     *           "updated": 3,
                     *           "unchanged": 3,
                     *           "duplicates": 3,
                     *           "rejected": 3,
                     *           "error": "The server did not answer in full within the time limit."
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ImportSource"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "nom",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getImportSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the import source
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "nom": "Agenda de la médiathèque",
                     *         "type": "rss",
                     *         "url": "https://mediatheque.example/agenda.xml",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "moderation_status": "published",
                     *         "actif": true,
                     *         "skip_duplicates": true,
                     *         "cron": "0 6 * * *",
                     *         "mapping": {
                     *           "external_id": "id",
                     *           "title": "titre",
                     *           "body": "texte",
                     *           "url": "lien",
                     *           "date_debut": "debut",
                     *           "date_fin": "fin",
                     *           "image_url": "image",
                     *           "items": "data.items"
                     *         },
                     *         "failures": 0,
                     *         "paused_reason": "Failed 5 times in a row.",
                     *         "version": 1,
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "last_run": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "source_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "dry_run": false,
                     *           "status": "queued",
                     *           "started_at": "2026-11-20T08:30:00.000Z",
                     *           "finished_at": "2026-11-20T08:30:00.000Z",
                     *           "fetched": 3,
                     *           "created": 3,
                     *           "updated": 3,
                     *           "unchanged": 3,
                     *           "duplicates": 3,
                     *           "rejected": 3,
                     *           "error": "The server did not answer in full within the time limit."
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ImportSource"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "is not a known field"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteImportSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the import source
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "nom": "Agenda de la médiathèque",
                     *         "type": "rss",
                     *         "url": "https://mediatheque.example/agenda.xml",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "moderation_status": "published",
                     *         "actif": true,
                     *         "skip_duplicates": true,
                     *         "cron": "0 6 * * *",
                     *         "mapping": {
                     *           "external_id": "id",
                     *           "title": "titre",
                     *           "body": "texte",
                     *           "url": "lien",
                     *           "date_debut": "debut",
                     *           "date_fin": "fin",
                     *           "image_url": "image",
                     *           "items": "data.items"
                     *         },
                     *         "failures": 0,
                     *         "paused_reason": "Failed 5 times in a row.",
                     *         "version": 1,
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "last_run": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "source_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "dry_run": false,
                     *           "status": "queued",
                     *           "started_at": "2026-11-20T08:30:00.000Z",
                     *           "finished_at": "2026-11-20T08:30:00.000Z",
                     *           "fetched": 3,
                     *           "created": 3,
                     *           "updated": 3,
                     *           "unchanged": 3,
                     *           "duplicates": 3,
                     *           "rejected": 3,
                     *           "error": "The server did not answer in full within the time limit."
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ImportSource"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ImportInProgress"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "If-Match",
                     *           "message": "must be a version in double quotes, as in \"3\""
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateImportSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the import source
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "nom": "Agenda de la médiathèque",
                 *       "type": "rss",
                 *       "url": "https://mediatheque.example/agenda.xml",
                 *       "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *       "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *       "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *       "moderation_status": "published",
                 *       "actif": true,
                 *       "skip_duplicates": true,
                 *       "cron": "0 6 * * *",
                 *       "mapping": null
                 *     }
                 */
                "application/json": {
                    /** @example Agenda de la médiathèque */
                    nom?: string;
                    /**
                     * @description rss also reads Atom, RDF and JSON Feed
                     * @example rss
                     * @enum {string}
                     */
                    type?: "rss" | "ics" | "csv" | "json" | "openagenda";
                    /**
                     * @description An http or https address, of no private network
                     * @example https://mediatheque.example/agenda.xml
                     */
                    url?: string;
                    /**
                     * Format: uuid
                     * @description Whose publications they become; null: what is imported waits for a decision
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    acteur_id?: string | null;
                    /**
                     * Format: uuid
                     * @description Where they are shown; null: the acteur's commune
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    commune_id?: string | null;
                    /**
                     * Format: uuid
                     * @description Their publication type
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    type_id?: string | null;
                    /**
                     * @description What is new is published at once, where the acteur may; or waits for a decision
                     * @example published
                     * @enum {string}
                     */
                    moderation_status?: "published" | "pending";
                    /**
                     * @description Inactive, it is only read by dry runs
                     * @example true
                     */
                    actif?: boolean;
                    /**
                     * @description What another publication says already is left out; else it is let in, and counted
                     * @example true
                     */
                    skip_duplicates?: boolean;
                    /**
                     * @description When it runs by itself: five fields, in the time of Paris. Null: only when asked
                     * @example 0 6 * * *
                     */
                    cron?: string | null;
                    mapping?: components["schemas"]["ImportMappingGiven"];
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "nom": "Agenda de la médiathèque",
                     *         "type": "rss",
                     *         "url": "https://mediatheque.example/agenda.xml",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "type_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "moderation_status": "published",
                     *         "actif": true,
                     *         "skip_duplicates": true,
                     *         "cron": "0 6 * * *",
                     *         "mapping": {
                     *           "external_id": "id",
                     *           "title": "titre",
                     *           "body": "texte",
                     *           "url": "lien",
                     *           "date_debut": "debut",
                     *           "date_fin": "fin",
                     *           "image_url": "image",
                     *           "items": "data.items"
                     *         },
                     *         "failures": 0,
                     *         "paused_reason": "Failed 5 times in a row.",
                     *         "version": 1,
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "last_run": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "source_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "dry_run": false,
                     *           "status": "queued",
                     *           "started_at": "2026-11-20T08:30:00.000Z",
                     *           "finished_at": "2026-11-20T08:30:00.000Z",
                     *           "fetched": 3,
                     *           "created": 3,
                     *           "updated": 3,
                     *           "unchanged": 3,
                     *           "duplicates": 3,
                     *           "rejected": 3,
                     *           "error": "The server did not answer in full within the time limit."
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ImportSource"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "nom",
                     *           "message": "is not valid"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    runImportSource: {
        parameters: {
            query?: {
                /** @description Only shows what a run would do; usually false */
                dry_run?: boolean;
            };
            header?: {
                /** @description Of your choosing, 1 to 200 visible ASCII characters: the same request sent again within a day gets the same answer, and nothing is done twice */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the import source
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "source_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "dry_run": false,
                     *         "status": "queued",
                     *         "started_at": "2026-11-20T08:30:00.000Z",
                     *         "finished_at": "2026-11-20T08:30:00.000Z",
                     *         "fetched": 3,
                     *         "created": 3,
                     *         "updated": 3,
                     *         "unchanged": 3,
                     *         "duplicates": 3,
                     *         "rejected": 3,
                     *         "error": "The server did not answer in full within the time limit.",
                     *         "items": [
                     *           {
                     *             "external_id": "urn:uuid:42",
                     *             "title": "Heure du conte",
                     *             "action": "created",
                     *             "reason": "another publication says the same"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ImportDryRun"];
                    };
                };
            };
            /** @description It was begun, and goes on in the background */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "source_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "dry_run": false,
                     *         "status": "queued",
                     *         "started_at": "2026-11-20T08:30:00.000Z",
                     *         "finished_at": "2026-11-20T08:30:00.000Z",
                     *         "fetched": 3,
                     *         "created": 3,
                     *         "updated": 3,
                     *         "unchanged": 3,
                     *         "duplicates": 3,
                     *         "rejected": 3,
                     *         "error": "The server did not answer in full within the time limit."
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ImportRun"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrImportInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "dry_run",
                     *           "message": "is not valid"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listImportRuns: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 25 */
                per_page?: number;
                /** @description Default: `started_at_desc` */
                sort?: "started_at_asc" | "started_at_desc";
                /** @description In one of these states, separated by commas */
                status?: ("queued" | "running" | "succeeded" | "partial" | "failed")[];
                /** @description Dry runs, or real ones */
                dry_run?: boolean[];
            };
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the import source
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "source_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "dry_run": false,
                     *           "status": "queued",
                     *           "started_at": "2026-11-20T08:30:00.000Z",
                     *           "finished_at": "2026-11-20T08:30:00.000Z",
                     *           "fetched": 3,
                     *           "created": 3,
                     *           "updated": 3,
                     *           "unchanged": 3,
                     *           "duplicates": 3,
                     *           "rejected": 3,
                     *           "error": "The server did not answer in full within the time limit."
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ImportRun"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readImportLog: {
        parameters: {
            query?: never;
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the import source
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
                /**
                 * @description A day in Paris, as in 2026-11-20
                 * @example 2026-11-20
                 */
                date: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "date": "2026-11-20",
                     *         "runs": [
                     *           {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "source_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "dry_run": false,
                     *             "status": "queued",
                     *             "started_at": "2026-11-20T08:30:00.000Z",
                     *             "finished_at": "2026-11-20T08:30:00.000Z",
                     *             "fetched": 3,
                     *             "created": 3,
                     *             "updated": 3,
                     *             "unchanged": 3,
                     *             "duplicates": 3,
                     *             "rejected": 3,
                     *             "error": "The server did not answer in full within the time limit.",
                     *             "lines": [
                     *               {
                     *                 "at": "2026-11-20T08:30:00.000Z",
                     *                 "level": "info",
                     *                 "message": "created",
                     *                 "external_id": "urn:uuid:42"
                     *               }
                     *             ],
                     *             "lines_total": 1
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ImportDayLog"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "is not a known field"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "email": "zoe@example.org",
                     *         "email_verified": true,
                     *         "nom": "Zoé Lambert",
                     *         "roles": [
                     *           "moderator"
                     *         ],
                     *         "areas": [
                     *           "claims",
                     *           "dashboard",
                     *           "publications"
                     *         ],
                     *         "acteurs": [
                     *           {
                     *             "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "nom": "Mairie de Chambéry",
                     *             "slug": "mairie-de-chambery",
                     *             "type": "association",
                     *             "role": "owner",
                     *             "permissions": [
                     *               "manage_publications"
                     *             ],
                     *             "can_publish": true,
                     *             "mairie_of": [
                     *               {
                     *                 "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *                 "slug": "chambery",
                     *                 "nom": "Chambéry"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Me"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolation"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "is not a known field"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 25 */
                per_page?: number;
                /** @description Default: `created_at_desc` */
                sort?: "created_at_asc" | "created_at_desc" | "email_asc" | "email_desc" | "nom_asc" | "nom_desc" | "last_seen_at_asc" | "last_seen_at_desc";
                /** @description Only these, separated by commas */
                ids?: string[];
                /** @description Beginning of a word of the name or of the e-mail address, whatever its accents and case */
                q?: string;
                /** @description Who holds one of these roles, separated by commas */
                role?: ("admin" | "platform_admin" | "moderator" | "support")[];
                /** @description Enabled or disabled */
                actif?: boolean[];
                /** @description Members of this acteur */
                acteur_id?: string;
            };
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "email": "zoe@example.org",
                     *           "email_verified": true,
                     *           "nom": "Zoé Lambert",
                     *           "actif": true,
                     *           "created_at": "2026-11-20T08:30:00.000Z",
                     *           "last_seen_at": "2026-11-20T08:30:00.000Z",
                     *           "version": 1,
                     *           "roles": [
                     *             "moderator"
                     *           ],
                     *           "acteurs": [
                     *             {
                     *               "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *               "role": "owner",
                     *               "permissions": [
                     *                 "manage_publications"
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["User"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the user
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "email": "zoe@example.org",
                     *         "email_verified": true,
                     *         "nom": "Zoé Lambert",
                     *         "actif": true,
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "last_seen_at": "2026-11-20T08:30:00.000Z",
                     *         "version": 1,
                     *         "roles": [
                     *           "moderator"
                     *         ],
                     *         "acteurs": [
                     *           {
                     *             "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "role": "owner",
                     *             "permissions": [
                     *               "manage_publications"
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "is not a known field"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the user
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "nom": "Zoé Lambert",
                 *       "actif": true,
                 *       "acteurs": [
                 *         {
                 *           "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                 *           "role": "owner",
                 *           "permissions": [
                 *             "manage_publications"
                 *           ]
                 *         }
                 *       ],
                 *       "revoke_tokens": false
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Name
                     * @example Zoé Lambert
                     */
                    nom?: string | null;
                    /**
                     * @description A disabled user's tokens are refused
                     * @example true
                     */
                    actif?: boolean;
                    /** @description Replaced whole when given */
                    acteurs?: {
                        /**
                         * Format: uuid
                         * @description Acteur the user may act for
                         * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                         */
                        acteur_id: string;
                        /**
                         * @description An owner may do all; an editor what its permissions say
                         * @example owner
                         * @enum {string}
                         */
                        role: "owner" | "editor";
                        /**
                         * @example [
                         *       "manage_publications"
                         *     ]
                         */
                        permissions?: ("manage_publications" | "publish_publications")[];
                    }[];
                    /**
                     * @description Refuse every token issued until now, also one whose date lies a few seconds ahead
                     * @example false
                     */
                    revoke_tokens?: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "email": "zoe@example.org",
                     *         "email_verified": true,
                     *         "nom": "Zoé Lambert",
                     *         "actif": true,
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "last_seen_at": "2026-11-20T08:30:00.000Z",
                     *         "version": 1,
                     *         "roles": [
                     *           "moderator"
                     *         ],
                     *         "acteurs": [
                     *           {
                     *             "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "role": "owner",
                     *             "permissions": [
                     *               "manage_publications"
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrLastAdmin"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "nom",
                     *           "message": "is not valid"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addUserRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the user
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "admin"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Role to give
                     * @example admin
                     * @enum {string}
                     */
                    role: "admin" | "platform_admin" | "moderator" | "support";
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "user_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "roles": [
                     *           "moderator"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["UserRoles"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "role",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeUserRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the user
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                userId: string;
                /**
                 * @description Role to remove
                 * @example admin
                 */
                role: "admin" | "platform_admin" | "moderator" | "support";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "user_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "roles": [
                     *           "moderator"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["UserRoles"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LastAdmin"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "If-Match",
                     *           "message": "must be a version in double quotes, as in \"3\""
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 25 */
                per_page?: number;
                /** @description Default: `created_at_desc` */
                sort?: "created_at_asc" | "created_at_desc" | "current_period_end_asc" | "current_period_end_desc" | "status_asc" | "status_desc";
                /** @description Only these, separated by commas */
                ids?: string[];
                /** @description In one of these states, separated by commas */
                status?: ("incomplete" | "incomplete_expired" | "trialing" | "active" | "past_due" | "canceled" | "unpaid" | "paused")[];
                /** @description Of one of these plans, separated by commas */
                plan?: string[];
                /** @description Subscriptions of this acteur */
                acteur_id?: string;
            };
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "status": "incomplete",
                     *           "provider_customer_id": "cus_S4hQ1",
                     *           "provider_subscription_id": "sub_1R9zQ2",
                     *           "current_period_start": "2026-11-20T08:30:00.000Z",
                     *           "current_period_end": "2026-11-20T08:30:00.000Z",
                     *           "cancel_at_period_end": false,
                     *           "canceled_at": "2026-11-20T08:30:00.000Z",
                     *           "trial_end": "2026-11-20T08:30:00.000Z",
                     *           "version": 1,
                     *           "created_at": "2026-11-20T08:30:00.000Z",
                     *           "updated_at": "2026-11-20T08:30:00.000Z",
                     *           "acteur": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "nom": "Boulangerie des Halles"
                     *           },
                     *           "plan": "commerce",
                     *           "label": "Commerce"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Subscription"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    assignSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description Identifier of the subscription
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Whose it is, whatever events say; null: whose they say
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    acteur_id: string | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "acteur_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "status": "incomplete",
                     *         "provider_customer_id": "cus_S4hQ1",
                     *         "provider_subscription_id": "sub_1R9zQ2",
                     *         "current_period_start": "2026-11-20T08:30:00.000Z",
                     *         "current_period_end": "2026-11-20T08:30:00.000Z",
                     *         "cancel_at_period_end": false,
                     *         "canceled_at": "2026-11-20T08:30:00.000Z",
                     *         "trial_end": "2026-11-20T08:30:00.000Z",
                     *         "version": 1,
                     *         "created_at": "2026-11-20T08:30:00.000Z",
                     *         "updated_at": "2026-11-20T08:30:00.000Z",
                     *         "acteur": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Boulangerie des Halles"
                     *         },
                     *         "plan": "commerce",
                     *         "label": "Commerce"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Subscription"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "acteur_id",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    receivePaymentEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description What else it holds is the provider’s, and is not looked at. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_1R9zQ2",
                 *       "type": "customer.subscription.updated",
                 *       "created": 1795188600,
                 *       "data": {
                 *         "object": {
                 *           "id": "sub_1R9zQ2",
                 *           "customer": "cus_S4h",
                 *           "status": "active",
                 *           "metadata": {}
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PaymentEvent"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "received": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PaymentEventReceived"];
                    };
                };
            };
            400: components["responses"]["InvalidWebhookSignature"];
            413: components["responses"]["PayloadTooLarge"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "id",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSupportMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choosing, 1 to 200 visible ASCII characters: the same request sent again within a day gets the same answer, and nothing is done twice */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "nom": "Odile Vauquelin",
                 *       "email": "odile.vauquelin@example.org",
                 *       "subject": "Bac non relevé",
                 *       "body": "Bonjour, le bac de la rue du Puits n’a pas été relevé depuis deux semaines.",
                 *       "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                 *     }
                 */
                "application/json": {
                    /** @example Odile Vauquelin */
                    nom?: string | null;
                    /**
                     * @description Where it is answered. Nothing is sent there before an operator does
                     * @example odile.vauquelin@example.org
                     */
                    email: string;
                    /** @example Bac non relevé */
                    subject: string;
                    /**
                     * @description Plain text
                     * @example Bonjour, le bac de la rue du Puits n’a pas été relevé depuis deux semaines.
                     */
                    body: string;
                    /**
                     * Format: uuid
                     * @description The commune it is about
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    commune_id?: string | null;
                };
            };
        };
        responses: {
            /** @description It was made */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "status": "open"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ReceivedSupportMessage"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolation"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "email",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSupportThreads: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 25 */
                per_page?: number;
                /** @description Default: `last_message_at_desc` */
                sort?: "last_message_at_asc" | "last_message_at_desc" | "created_at_asc" | "created_at_desc";
                /** @description Only these, separated by commas */
                ids?: string[];
                /** @description In one of these states, separated by commas */
                status?: ("open" | "closed")[];
                /** @description Waiting to be read, or not */
                unread?: boolean[];
                /** @description With one of these flags, separated by commas; `none`: without */
                flag?: ("red" | "orange" | "yellow" | "green" | "blue" | "purple" | "none")[];
                /** @description Beginnings of words of the subject, of the name, of the address or of what was said; or the number */
                q?: string;
            };
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "number": 1042,
                     *           "subject": "Bac non relevé",
                     *           "nom": "Odile Vauquelin",
                     *           "email": "odile.vauquelin@example.org",
                     *           "user_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "status": "open",
                     *           "unread": true,
                     *           "flag": "red",
                     *           "last_message_at": "2026-11-20T08:30:00.000Z",
                     *           "messages_count": 1,
                     *           "version": 1,
                     *           "created_at": "2026-11-20T08:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57,
                     *         "unread": 7
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SupportThread"][];
                        meta: components["schemas"]["SupportThreadsMeta"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSupportThread: {
        parameters: {
            query?: never;
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description The thread
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "number": 1042,
                     *         "subject": "Bac non relevé",
                     *         "nom": "Odile Vauquelin",
                     *         "email": "odile.vauquelin@example.org",
                     *         "user_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "status": "open",
                     *         "unread": true,
                     *         "flag": "red",
                     *         "last_message_at": "2026-11-20T08:30:00.000Z",
                     *         "messages_count": 1,
                     *         "version": 1,
                     *         "created_at": "2026-11-20T08:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SupportThread"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "is not a known field"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSupportMessages: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 25 */
                per_page?: number;
            };
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description The thread
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "thread_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "direction": "inbound",
                     *           "body": "Bonjour, la tournée passe de nouveau dès lundi. Merci de nous l’avoir dit !",
                     *           "author": {
                     *             "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *             "nom": "Odile Vauquelin"
                     *           },
                     *           "email_status": "queued",
                     *           "email_error": "452 4.2.2 Mailbox full",
                     *           "created_at": "2026-11-20T08:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SupportMessage"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replyToSupportThread: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Of your choosing, 1 to 200 visible ASCII characters: the same request sent again within a day gets the same answer, and nothing is done twice */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description The thread
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description Exactly one of the two */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "body": "Bonjour, la tournée passe de nouveau dès lundi. Merci de nous l’avoir dit !"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Plain text
                     * @example Bonjour, la tournée passe de nouveau dès lundi. Merci de nous l’avoir dit !
                     */
                    body?: string;
                    /**
                     * Format: uuid
                     * @description A message of the thread whose mail failed, or may have: it is sent again, as the same mail
                     * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                     */
                    resend_of?: string;
                };
            };
        };
        responses: {
            /** @description It was made */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "thread_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "direction": "inbound",
                     *         "body": "Bonjour, la tournée passe de nouveau dès lundi. Merci de nous l’avoir dit !",
                     *         "author": {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "nom": "Odile Vauquelin"
                     *         },
                     *         "email_status": "queued",
                     *         "email_error": "452 4.2.2 Mailbox full",
                     *         "created_at": "2026-11-20T08:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SupportMessage"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "body",
                     *           "message": "is not valid"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    markSupportThreadRead: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description The thread
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "number": 1042,
                     *         "subject": "Bac non relevé",
                     *         "nom": "Odile Vauquelin",
                     *         "email": "odile.vauquelin@example.org",
                     *         "user_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "status": "open",
                     *         "unread": true,
                     *         "flag": "red",
                     *         "last_message_at": "2026-11-20T08:30:00.000Z",
                     *         "messages_count": 1,
                     *         "version": 1,
                     *         "created_at": "2026-11-20T08:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SupportThread"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "If-Match",
                     *           "message": "must be a version in double quotes, as in \"3\""
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    markSupportThreadUnread: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description The thread
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "number": 1042,
                     *         "subject": "Bac non relevé",
                     *         "nom": "Odile Vauquelin",
                     *         "email": "odile.vauquelin@example.org",
                     *         "user_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "status": "open",
                     *         "unread": true,
                     *         "flag": "red",
                     *         "last_message_at": "2026-11-20T08:30:00.000Z",
                     *         "messages_count": 1,
                     *         "version": 1,
                     *         "created_at": "2026-11-20T08:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SupportThread"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "If-Match",
                     *           "message": "must be a version in double quotes, as in \"3\""
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    flagSupportThread: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description The thread
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "flag": "red"
                 *     }
                 */
                "application/json": {
                    /**
                     * @example red
                     * @enum {string|null}
                     */
                    flag: "red" | "orange" | "yellow" | "green" | "blue" | "purple" | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "number": 1042,
                     *         "subject": "Bac non relevé",
                     *         "nom": "Odile Vauquelin",
                     *         "email": "odile.vauquelin@example.org",
                     *         "user_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "status": "open",
                     *         "unread": true,
                     *         "flag": "red",
                     *         "last_message_at": "2026-11-20T08:30:00.000Z",
                     *         "messages_count": 1,
                     *         "version": 1,
                     *         "created_at": "2026-11-20T08:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SupportThread"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "flag",
                     *           "message": "is required"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    closeSupportThread: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that the change is made on top of, in double quotes, as its `ETag` was: 412 when there is a newer one */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path: {
                /**
                 * @description The thread
                 * @example 0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "closed": true
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `false` opens it again
                     * @default true
                     * @example true
                     */
                    closed?: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "number": 1042,
                     *         "subject": "Bac non relevé",
                     *         "nom": "Odile Vauquelin",
                     *         "email": "odile.vauquelin@example.org",
                     *         "user_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "commune_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *         "status": "open",
                     *         "unread": true,
                     *         "flag": "red",
                     *         "last_message_at": "2026-11-20T08:30:00.000Z",
                     *         "messages_count": 1,
                     *         "version": 1,
                     *         "created_at": "2026-11-20T08:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SupportThread"];
                    };
                };
            };
            400: components["responses"]["MissingAppSourceOrMalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "closed",
                     *           "message": "is not valid"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDashboard: {
        parameters: {
            query?: never;
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "publications": 1204,
                     *       "publications_pending": 12,
                     *       "publications_reported": 3,
                     *       "acteurs": 312,
                     *       "users": 458,
                     *       "subscription_plans": [
                     *         {
                     *           "plan": "commerce",
                     *           "label": "Commerce",
                     *           "active": 42
                     *         }
                     *       ],
                     *       "subscription_logs": {
                     *         "failed": 0,
                     *         "oldest_unprocessed_at": "2026-11-20T08:30:00.000Z",
                     *         "latest": [
                     *           {
                     *             "event_id": "evt_1R9zQ2",
                     *             "type": "customer.subscription.updated",
                     *             "status": "received",
                     *             "error": "it names no subscription",
                     *             "at": "2026-11-20T08:30:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Dashboard"];
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "is not a known field"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Page number. Default: 1 */
                page?: number;
                /** @description Page size; values above 100 are cut to 100. Default: 25 */
                per_page?: number;
                /** @description Default: `at_desc` */
                sort?: "at_asc" | "at_desc";
                /** @description Only these, separated by commas */
                ids?: string[];
                /** @description Of one of these kinds of record */
                entity?: string[];
                /** @description Identifier of the record */
                entity_id?: string;
                /** @description Who did it */
                user_id?: string;
                /** @description One of these actions */
                action?: string[];
                /** @description From this moment on */
                since?: string;
                /** @description Before this moment */
                until?: string;
            };
            header?: {
                /** @description The language of error messages: `fr`, else English */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "at": "2026-11-20T08:30:00.000Z",
                     *           "user_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "action": "commune.update",
                     *           "entity": "commune",
                     *           "entity_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e",
                     *           "before": {
                     *             "population": 512
                     *           },
                     *           "after": {
                     *             "population": 512
                     *           },
                     *           "app_source": "backoffice",
                     *           "request_id": "0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "last_page": 3,
                     *         "per_page": 25,
                     *         "total": 57
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AuditRow"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["MissingAppSource"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeViolationOrAdminRequired"];
            /** @description `validation_failed`: Some values are not valid. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "validation_failed",
                     *       "message": "Some values are not valid.",
                     *       "details": [
                     *         {
                     *           "field": "page",
                     *           "message": "must be at least 1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
